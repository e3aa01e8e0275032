import type { AmqpAdmin } from '@warren/testing';
import { Bell } from './bell.ts';

/** Takes `email.send` jobs out of their queue in place of a mail server, and keeps account of them. */
export class MailCount extends Bell {
  readonly #ids = new Map<string, Set<string>>();
  #taken = 0;

  /** Begins to take them; ends with the connection. */
  async take(admin: AmqpAdmin, queue: string): Promise<void> {
    await admin.run((channel) =>
      channel.consume(
        queue,
        (message) => {
          if (!message) throw new Error(`${queue} was deleted`);
          const { to } = JSON.parse(message.content.toString()) as { to: string };
          this.#add(to, String(message.properties.messageId));
        },
        { noAck: true },
      ),
    );
  }

  /** Jobs taken, duplicates included. */
  get taken(): number {
    return this.#taken;
  }

  /** Addresses with at least one job. */
  get addresses(): number {
    return this.#ids.size;
  }

  /** The ids of an address's jobs, each once. */
  idsOf(to: string): string[] {
    return [...(this.#ids.get(to) ?? [])];
  }

  #add(to: string, id: string): void {
    this.#taken += 1;
    const ids = this.#ids.get(to);
    if (ids) ids.add(id);
    else this.#ids.set(to, new Set([id]));
    this.ring();
  }
}
