// Undo and redo without limit.

export class History<State> {
  private readonly past: State[] = [];
  private future: State[] = [];

  constructor(private present: State) {}

  get state(): State {
    return this.present;
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  get canRedo(): boolean {
    return this.future.length > 0;
  }

  /** A new state that can be taken back. */
  change(next: State): void {
    this.past.push(this.present);
    this.future = [];
    this.present = next;
  }

  /** The present state goes on changing, as during a drag: one step to take back. */
  replace(next: State): void {
    this.present = next;
  }

  undo(): boolean {
    const before = this.past.pop();
    if (before === undefined) return false;
    this.future.push(this.present);
    this.present = before;
    return true;
  }

  redo(): boolean {
    const after = this.future.pop();
    if (after === undefined) return false;
    this.past.push(this.present);
    this.present = after;
    return true;
  }
}
