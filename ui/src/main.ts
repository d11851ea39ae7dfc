// One bundle for all pages: the address decides which one is shown.

import './app.css';
import './contest/contest.css';
import './pages/audit-page.ts';
import './pages/compare-page.ts';
import './pages/desk-page.ts';
import './pages/login-page.ts';
import { OverlayPage } from './pages/overlay-page.ts';
import { RejudgingPage } from './pages/rejudging-page.ts';
import { ReviewPage } from './pages/review-page.ts';
import './pages/scoreboard-page.ts';
import { SubmissionPage } from './pages/submission-page.ts';
import './pages/team-page.ts';
import './pages/users-page.ts';
import './pages/values-page.ts';
import './pages/view-page.ts';
import { words } from './words.ts';

const FIXED: Readonly<Record<string, string>> = {
  '/': 'scoreboard-page', '/team': 'team-page', '/desk': 'desk-page', '/desk/values': 'values-page', '/desk/users': 'users-page',
  '/audit': 'audit-page', '/login': 'login-page', '/compare': 'compare-page', '/view': 'view-page',
};

function pageFor(pathname: string): HTMLElement {
  const fixed = FIXED[pathname.replace(/(.)\/$/, '$1')];
  if (fixed) return document.createElement(fixed);
  const [, page, id, third] = pathname.split('/').map(decodeURIComponent);
  if (page === 'overlay' && id) return Object.assign(new OverlayPage(), { mapId: id });
  if (page === 'review' && id) return Object.assign(new ReviewPage(), { reviewId: id });
  if (page === 'submission' && id) return Object.assign(new SubmissionPage(), { submissionId: id });
  if (page === 'desk' && id === 'rejudgings' && third) return Object.assign(new RejudgingPage(), { rejudgingId: third });
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
