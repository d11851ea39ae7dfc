import { LitElement } from 'lit';
export class ComparePage extends LitElement {}
customElements.define('compare-page', ComparePage);
