import { LitElement } from 'lit';
export class ViewPage extends LitElement {}
customElements.define('view-page', ViewPage);
