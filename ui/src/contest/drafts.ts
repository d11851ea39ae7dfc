// What was typed and not yet sent: it outlives a reload, a lost connection and a log-in that ended.

export interface DraftStorage {
  getItem(key: string): string | null;
  setItem(key: string, value: string): void;
  removeItem(key: string): void;
}

const PREFIX = 'mapjudge-draft:';

export class Drafts {
  constructor(private readonly storage: DraftStorage) {}

  read(key: string): string {
    try {
      return this.storage.getItem(PREFIX + key) ?? '';
    } catch {
      return '';
    }
  }

  /** A storage that is full or forbidden keeps nothing; the field on the page still does. */
  keep(key: string, text: string): void {
    try {
      if (text === '') this.storage.removeItem(PREFIX + key);
      else this.storage.setItem(PREFIX + key, text);
    } catch {
      // Nothing to do about it.
    }
  }

  forget(key: string): void {
    this.keep(key, '');
  }
}

export const drafts = new Drafts({
  getItem: (key) => sessionStorage.getItem(key),
  setItem: (key, value) => sessionStorage.setItem(key, value),
  removeItem: (key) => sessionStorage.removeItem(key),
});
