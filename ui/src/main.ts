// One bundle for all pages: the address decides which one is shown.

import './app.css';
import './pages/compare-page.ts';
import './pages/login-page.ts';
import { OverlayPage } from './pages/overlay-page.ts';
import { ReviewPage } from './pages/review-page.ts';
import './pages/view-page.ts';
import { words } from './words.ts';

function pageFor(pathname: string): HTMLElement {
  const [, page, id] = pathname.split('/').map(decodeURIComponent);
  if (page === 'login') return document.createElement('login-page');
  if (page === 'overlay' && id) return Object.assign(new OverlayPage(), { mapId: id });
  if (page === 'compare') return document.createElement('compare-page');
  if (page === 'review' && id) return Object.assign(new ReviewPage(), { reviewId: id });
  if (page === 'view') return document.createElement('view-page');
  return missingPage();
}

function missingPage(): HTMLElement {
  document.title = words.titles.missing;
  const main = document.createElement('main');
  main.className = 'card';
  const title = document.createElement('h1');
  title.textContent = words.missing.title;
  const detail = document.createElement('p');
  detail.textContent = words.missing.detail;
  main.append(title, detail);
  return main;
}

document.body.append(pageFor(location.pathname));
