import { LitElement } from 'lit';
export class ReviewPage extends LitElement {}
customElements.define('review-page', ReviewPage);
