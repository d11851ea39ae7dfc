// All words of the pages of a contest.

import type { Chip, NoteKind, Role, SubmissionState } from '../api/contest-types.ts';
import type { Refusal } from './values-grid.ts';
import type { StepName } from './steps.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;

const chips: Record<Chip, string> = {
  broken: 'broken', undefined: 'score undefined', frame_uncertain: 'alignment uncertain', mirrored: 'mirrored', value_missing: 'value to enter', late: 'late',
  question: 'question', worker_died: 'worker died', frame_outdated: 'hand alignment of an older map', changed_by_draft: 'changed by a draft', to_verify: 'to verify',
};
const states: Record<SubmissionState, string> = {
  received: 'received', checked: 'checked', measured: 'measured', verified: 'verified', published: 'published', broken: 'broken',
};
const steps: Record<StepName, string> = { received: 'Received', checked: 'Checked', measured: 'Measured', verified: 'Verified', published: 'Published' };
const roles: Record<Role, string> = { admin: 'Administrator', judge: 'Judge', team: 'Team', viewer: 'Viewer' };
const notes: Record<NoteKind, string> = { question: 'Question', answer: 'Answer', appeal: 'Appeal', decision: 'Decision' };
const refusals: Record<Refusal, string> = { not_a_number: 'not a number' };

export const contestWords = {
  chips, states, steps, failedStep: 'Broken', roles, notes, refusals,
  titles: {
    scoreboard: (contest: string) => `${contest} · scoreboard`, team: (contest: string) => `${contest} · team`, desk: (contest: string) => `${contest} · desk`,
    values: (contest: string) => `${contest} · values`, users: (contest: string) => `${contest} · people`, audit: (contest: string) => `${contest} · audit`,
    rejudging: (contest: string) => `${contest} · rejudging`, submission: (contest: string) => `${contest} · submission`,
  },
  nav: { title: 'Pages', scoreboard: 'Scoreboard', team: 'Our files', desk: 'Desk', values: 'Values', users: 'People', audit: 'Audit', review: (record: string) => `Review ${record}` },
  account: { login: 'Log in', logout: 'Log out', as: (role: string) => `(${role})` },
  skip: 'Skip to the content',
  foot: { head: 'Head of the audit chain', seq: (seq: number) => `event ${seq}`, profile: 'Rules', tool: 'Judged by' },
  denied: {
    title: 'This page needs another role', detail: (role: string) => `You are logged in as ${role}.`,
    loginTitle: 'Log in to see this page', loginDetail: 'Open the link that the organisers gave you, in this browser. It works once.', login: 'Log in', back: 'To the scoreboard',
  },
  undefined: 'undefined', none: 'none', loading: 'Loading …', save: 'Save', cancel: 'Cancel', close: 'Close', copy: 'Copy', copied: 'Copied', required: 'required', optional: 'optional',
  missionOf: (title: string) => title || 'the contest',
  submissionOf: (team: string, mission: string, number: number) => `\u2068${team}\u2069, ${mission ? `${mission}, ` : ''}submission ${number}`,
  reason: { label: 'Reason', missing: (count: number) => `${plural(count, 'more character is', 'more characters are')} needed`, enough: 'long enough' },
  board: {
    rank: 'Rank', team: 'Team', score: 'Score', interval: '95 % interval', parts: 'Parts', undefinedScore: 'no score', noRank: 'not ranked',
    range: (low: string, high: string) => `95 % interval from ${low} to ${high}`,
    aboveIn: (percent: string, resamples: number) => `above in ${percent} of ${resamples} resamples`,
    notSure: (percent: string, resamples: number) => `order not sure: above in ${percent} of ${resamples} resamples`,
    entered: 'a judge entered a value', handFrame: 'aligned by hand', byHand: 'by hand', byJudge: 'entered',
    emptyTitle: 'Nothing published yet', emptyDetail: 'The ranking appears here as soon as the judges publish it. This page follows by itself.',
    frozen: (at: string) => `Frozen since ${at}`, frozenDetail: 'The final ranking is published when the judges are done.',
    notices: 'Notices', compare: (count: number) => `Compare ${count} maps`, pick: (team: string) => `Pick ${team} to compare`, pickHint: 'Tick 2 to 4 teams to compare their maps.',
    noMaps: 'These teams have no map to compare in a common mission.',
    sheet: (team: string) => `Score sheet of ${team}`, sheetOf: (team: string, mission: string) => (mission ? `${team}, ${mission}` : team),
    open: 'Show the score sheet', formula: 'Formula', withNumbers: 'With the numbers', files: 'Files', hash: 'BLAKE3', broken: 'This submission is broken', part: 'Part', value: 'Value', basis: 'Basis',
    enteredBy: (by: string, reason: string) => `entered by ${by}: ${reason}`, enteredHidden: 'entered by another judge; shown once you have decided too', standIn: 'stand-in for an undefined value', measured: 'measured', signatures: 'Judge, team captain', print: 'Print the sheet',
    projector: 'Projector (F)', leaveProjector: 'Leave projector (F)', updated: (rank: string) => `Ranking ${rank}`,
    changed: (teams: readonly string[]) => `The ranking has changed: ${teams.join(', ')}.`, unchanged: 'The ranking was published again without a change.',
    legendTitle: 'How to read this', legend: 'Bars show the 95 % interval of a score under resampling, the line in it the score. A dashed line between two teams: their order is not sure.',
    legendMarks: 'Marked values were entered by a judge; every such value is named on the score sheet with its reason.',
    download: 'Download', mission: (title: string) => title,
  },
  team: {
    title: 'Hand in files', mission: 'Mission', closes: (at: string) => `closes ${at}`, closed: 'closed', closedWarning: 'This mission is closed. What you hand in now is kept and marked late; it counts only if a judge says so.',
    opens: (at: string) => `opens ${at}`, drop: 'Drop files or a folder here', or: 'or', chooseFiles: 'Choose files', chooseFolder: 'Choose a folder', asked: 'What is asked for', role: 'Role', pattern: 'File', state: 'State',
    states: { chosen: 'chosen', kept: 'kept from the last submission', missing: 'missing', optional: 'not chosen (optional)' },
    keep: (number: number) => `Keep files of submission ${number} that are not chosen again`, others: 'No rule asks for these files; they are sent along:', remove: (name: string) => `Remove ${name}`, chosen: 'Chosen files', clear: 'Remove all',
    problems: { file_bytes: (name: string, limit: string) => `${name} is larger than ${limit}.`, submission_bytes: (limit: string) => `The files together are larger than ${limit}.`, files: (limit: number) => `More than ${limit} files.` },
    missing: 'A required file is missing: the submission will be broken. You can send it, and hand in a better one later.',
    send: 'Hand in', sending: (percent: string) => `Sending, ${percent}`, total: (files: number, size: string) => `${plural(files, 'file', 'files')}, ${size}`,
    receipt: 'Receipt', receiptDetail: (number: number) => `Submission ${number} is stored. Keep the receipt: it proves when it came.`, seq: 'Event', hash: 'Hash of the event', receivedAt: 'Received', saveReceipt: 'Save the receipt',
    latest: 'Latest submission', history: 'All submissions', none: 'Nothing handed in yet', noneDetail: 'Choose your files on the left; findings appear here within seconds.',
    quota: (left: number, total: number) => `${left} of ${total} submissions left`, nothingDeleted: 'Nothing can be deleted; what counts stands beside each submission.',
    number: 'No.', received: 'Received', result: 'State', counts: 'Counts', countsYes: 'counts', forTeam: 'For team', running: 'being worked on', queue: (place: number) => `place ${place} in the queue`, attempts: (count: number) => `attempt ${count}`, late: 'late',
    findings: 'Findings', noFindings: 'Nothing to complain about.', notChecked: 'The files are being checked …', line: (line: number) => `line ${line}`, openSubmission: 'Open',
    ready: (number: number, state: string) => `Submission ${number}: ${state}.`, notTeam: 'You hand in for a team, as a judge.',
  },
  thread: {
    title: 'Questions and appeals', empty: 'No questions.', write: 'Write', kind: 'Kind', send: 'Send', placeholder: { team: 'Ask about this submission, or appeal against its score.', judge: 'Answer the team, or write down a decision.' }, sent: 'Sent.',
  },
  submission: {
    title: 'Submission', parts: 'Parts', part: 'Part', measured: 'Measured', entered: 'Entered', status: 'Status', formula: 'Formula', score: 'Score', noScore: 'no score yet', frame: 'Alignment', certificate: 'Certificate',
    byHand: (by: string) => `by hand, by ${by}`, older: 'This alignment by hand was made for an older map.', verdict: (verdict: string) => verdict, pictures: 'Maps', history: 'History', files: 'Files', receipt: 'Receipt', countsYes: 'This submission counts', countsNo: 'This submission does not count',
    why: (why: string) => why, values: 'Entered values', opinions: (count: number) => plural(count, 'opinion', 'opinions'), median: 'the median counts', disagree: 'the judges do not agree', attempts: (count: number) => plural(count, 'attempt', 'attempts'),
    noParts: 'No ranking holds this submission yet.', overlay: 'Open the overlay', desk: 'Open at the desk', times: 'Steps', of: (number: number) => `Submission ${number}`, noFrame: 'not aligned',
    downloadFile: 'Download',
  },
  desk: {
    queue: 'Needs attention', all: 'All submissions', allShort: 'All', counts: (done: number, total: number) => `${done} of ${plural(total, 'counting submission', 'counting submissions')} verified`, filter: 'Show', nothing: 'Nothing waits', nothingDetail: 'No submission needs attention. New ones appear here by themselves.', waiting: (count: number) => `${plural(count, 'submission is', 'submissions are')} being measured`,
    pick: 'Pick a submission on the left.', actions: 'What to do',
    overlay: 'Overlay', verify: 'Verify', verified: 'Verified', enter: 'Enter a value', enterThis: 'Enter', changeThis: 'Change', letCount: 'Let it count', rejudge: 'Rejudge', publish: 'Publish', undo: 'Take back', notice: 'Notice', freeze: 'Freeze', unfreeze: 'Unfreeze', values: 'Values grid', handIn: 'Hand in for a team',
    keys: { next: 'Next submission', previous: 'Previous submission', overlay: 'Lay the map on the truth', verify: 'Verify the submission', enter: 'Enter a value', counts: 'Let this submission count', rejudge: 'Rejudge', publish: 'Publish', undo: 'Take back what you did last' },
    said: { verified: (what: string) => `Verified: ${what}.`, entered: (what: string) => `Entered: ${what}.`, counted: (what: string) => `Counts now: ${what}.`, takenBack: (what: string) => `Taken back: ${what}.`, published: 'Published.', notice: 'The notice is on the scoreboard.', frozen: 'The scoreboard is frozen.', unfrozen: 'The scoreboard is open again.', nothingToTakeBack: 'Nothing to take back in this tab.', shown: (what: string) => what, changed: 'Somebody else changed this submission; it is shown anew.' },
    acts: { verify: (what: string) => `verification of ${what}`, value: (title: string, what: string) => `${title} of ${what}`, counts: (what: string) => `choice of ${what}` },
    enterTitle: 'Enter a value', criterion: 'Criterion', value: 'Value', before: 'now', aNumber: 'a number', listOfNumbers: 'numbers with commas between', measuredIs: (value: string) => `Measured: ${value}. It stays beside what you enter.`,
    preview: 'What it changes', previewScore: 'Score', previewWaits: 'Enter a value to see score and ranks before and after.', noRankChange: 'No rank changes.', rankChange: (team: string, before: string, after: string) => `${team}: rank ${before} → ${after}`,
    theirs: (by: string, value: string, reason: string) => `${by} entered ${value} meanwhile: ${reason}`, theirsGone: 'Somebody else changed this submission meanwhile.', overwrite: 'Enter mine over it', keepTheirs: 'Keep theirs', remove: 'Take the value back', entered: 'Entered by', opinions: 'Opinions',
    countsTitle: 'Let this submission count', countsDetail: 'The last one in time counts by default. Your choice is an event with your name and reason.', release: 'Back to the default',
    rejudgeTitle: 'Rejudge', rejudgeDetail: 'Makes a draft ranking. Nothing is public until you apply it.', rejudgeOne: (what: string) => `only ${what}`, rejudgeAll: 'all submissions', rejudgeGo: 'Make the draft', rejudgings: 'Rejudgings', what: 'Which',
    publishTitle: 'Publish', publishDetail: 'This is what changes on the public scoreboard.', publishNote: 'Note for the record (optional)', publishGo: 'Publish', publishNothing: 'No score or rank changes.', publishFrozen: 'The scoreboard is frozen: unfreeze it first.',
    unverified: (count: number) => `${plural(count, 'submission that counts is', 'submissions that count are')} not verified.`,
    undoTitle: 'Take back', undoDetail: (what: string) => `The ${what} is reversed by a new event. Both stay in the audit.`, noticeTitle: 'Notice on the scoreboard', noticeText: 'Text', noticeGo: 'Show to everybody',
    freezeTitle: 'Freeze the scoreboard', freezeDetail: 'The public sees the ranking as it is now, until you unfreeze.', unfreezeTitle: 'Unfreeze the scoreboard', unfreezeDetail: 'The public sees the latest published ranking.',
    workers: 'Workers', worker: (name: string, version: string) => `${name} ${version}`, back: 'Back to the queue',
  },
  difference: {
    title: 'What changes', team: 'Team', score: 'Score', rank: 'Rank', cause: 'Cause', changed: (count: number, total: number) => (count === 0 ? 'Nothing changes' : `${count} of ${plural(total, 'team changes', 'teams change')}`), showAll: 'Show unchanged teams too',
    none: 'No score or rank changes.', up: 'up', down: 'down', same: 'unchanged', new: 'new',
  },
  rejudging: {
    title: 'Rejudging', states: { running: 'measuring …', ready: 'ready to be applied or dropped', applied: 'applied', dropped: 'dropped' }, apply: 'Apply', drop: 'Drop', applyDetail: 'Applied as a whole: the teams are told. Publish afterwards to show it.', running: 'The draft is being measured. This page follows by itself.', by: (by: string, at: string) => `by ${by}, ${at}`,
    said: { applied: 'The rejudging is applied.', dropped: 'The rejudging is dropped.' }, back: 'To the desk',
  },
  values: {
    title: 'Values that judges enter', help: 'Arrow keys move, typing replaces, Enter goes down, Escape takes an edit back, Ctrl+S saves. A block copied from a spreadsheet can be pasted.', blind: (judges: number) => `${judges} judges enter each value without seeing the others; the median counts.`,
    changed: (count: number) => plural(count, 'changed value', 'changed values'), save: 'Save (Ctrl+S)', nothing: 'no submission', saved: (count: number) => `${plural(count, 'value', 'values')} saved.`, cell: (team: string, title: string) => `${team}, ${title}`, pasted: (count: number) => `${plural(count, 'cell', 'cells')} pasted.`,
    refused: (team: string, title: string, why: string) => `${team}, ${title}: ${why}`, emptied: 'To take a value back, use the desk: it needs a reason of its own. Emptied fields are not saved.', none: 'The rules of this contest ask judges for no value.', reasonFor: 'Reason for all changed values', opinions: (count: number) => plural(count, 'opinion', 'opinions'), keys: { move: 'Move', down: 'Down', revert: 'Take an edit back', save: 'Save' },
  },
  users: {
    title: 'People', name: 'Name', role: 'Role', team: 'Team', seen: 'Last seen', never: 'never', link: 'Log-in link', newLink: 'New link', revoke: 'Revoke', revoked: 'revoked', add: 'Add a person', addGo: 'Add', anyTeam: 'choose a team', linkDetail: (name: string) => `Link for ${name}. It works once, within 24 hours, and is not shown again.`,
    token: 'Token', tokenDetail: (name: string) => `Token for programs of ${name}. It is not shown again.`, cards: 'Cards for all teams', cardsDetail: (count: number) => `Makes a person and a new link for each of ${plural(count, 'team', 'teams')}. Earlier links of these people stop working. Print the sheet and cut it.`, cardsGo: 'Make the cards', print: 'Print', revokeTitle: (name: string) => `Revoke ${name}?`, revokeDetail: 'Every session and link of this person ends now. What they did stays in the audit.', hasCode: 'link not used yet',
    card: { open: 'Open this link once, in the browser that you use:', once: 'It works once, within 24 hours.', scan: 'or scan it' }, said: { added: (name: string) => `${name} is added.`, revoked: (name: string) => `${name} is revoked.`, cards: 'The cards are ready to print.' },
  },
  audit: {
    title: 'Audit', detail: 'Everything that a person or a worker did, each event with the hash of the one before it. `mapjudge serve check` verifies the whole chain.', seq: 'No.', at: 'Time', person: 'Who', what: 'What', subject: 'About', hash: 'Hash', head: 'Head of the chain', filter: 'Filter', filterHint: 'name, kind or subject', more: 'Show earlier events', holds: (count: number) => `The ${count} events shown follow from each other.`, breaks: (seq: number) => `Event ${seq} does not follow from the one before it.`, body: 'Details', none: 'No event fits the filter.',
  },
  login: {
    sentence: 'Open the link that the organisers gave you in this browser, or paste it here. It works once.', asWho: (name: string) => `You are logged in as ${name}.`, go: 'Go on',
  },
  events: {
    contest_opened: 'opened the contest', contest_changed: 'the contest folder changed', person_added: 'added a person', person_revoked: 'revoked a person', code_made: 'made a log-in link', logged_in: 'logged in', submission_received: 'handed in', submission_checked: 'checked', measured: 'measured',
    submission_broken: 'found broken', value_entered: 'entered a value', value_removed: 'took a value back', frame_saved: 'aligned by hand', frame_removed: 'took an alignment back', verified: 'verified', unverified: 'took a verification back', counts_chosen: 'chose what counts', counts_released: 'released what counts',
    ranking_made: 'made a ranking', rejudging_made: 'began a rejudging', rejudging_applied: 'applied a rejudging', rejudged: 'judged anew', rejudging_dropped: 'dropped a rejudging', published: 'published', frozen: 'froze the scoreboard', unfrozen: 'unfroze the scoreboard', note_added: 'wrote a note', notice_added: 'wrote a notice', review_verdict: 'decided about a relation', review_verdict_failed: 'decided about a relation, which could not be written',
  } as Readonly<Record<string, string>>,
} as const;
