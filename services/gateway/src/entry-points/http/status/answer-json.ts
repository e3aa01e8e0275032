import type { Response } from 'express';

/** Answers 200 with what is true now. */
export function answerJson(response: Response, body: unknown): void {
  response.set('Cache-Control', 'no-store').json(body);
}
