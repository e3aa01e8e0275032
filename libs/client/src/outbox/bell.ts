/** Wakes one who rests until something happens, or a time is over. What rings meanwhile is not missed. */
export class Bell {
  #hasRung = false;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#hasRung = true;
    this.#wake?.();
  }

  async rungOrOver(timeoutMs: number): Promise<void> {
    if (!this.#hasRung) {
      let timer: NodeJS.Timeout | undefined;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        timer = setTimeout(resolve, timeoutMs);
      });
      clearTimeout(timer);
      this.#wake = undefined;
    }
    this.#hasRung = false;
  }
}
