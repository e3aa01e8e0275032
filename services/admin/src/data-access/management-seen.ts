import { z } from 'zod';
import type { Seen } from '../domain/doctor/finding.ts';
import { fetchManagement, type ManagementAccess, pathOf } from './management-access.ts';

const PAGE_SIZE = 500;
/** 10,000 queues; an installation has at most some hundreds. */
const MAX_PAGES = 20;

/** All queues of the virtual host, page by page; or why they cannot be seen. Never rejects. */
export async function queuesSeen<Item extends z.ZodType>(
  access: ManagementAccess,
  columns: string,
  item: Item,
): Promise<Seen<z.infer<Item>[]>> {
  const list = z.object({ page_count: z.number(), items: z.array(item) });
  const queues: z.infer<Item>[] = [];
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const query = `page=${page}&page_size=${PAGE_SIZE}&columns=${columns}`;
    const path = `/queues${pathOf(access.vhost)}?${query}`;
    const answer = await seen(access, path, list, (found) => found);
    if ('unseen' in answer) return answer;
    queues.push(...answer.value.items);
    if (page >= answer.value.page_count) return { value: queues };
  }
  return { unseen: `more than ${MAX_PAGES * PAGE_SIZE} queues in this virtual host` };
}

/** One answer, understood; or why there is none. */
export async function seen<Schema extends z.ZodType, T>(
  access: ManagementAccess,
  path: string,
  schema: Schema,
  take: (answer: z.infer<Schema>) => T,
): Promise<Seen<T>> {
  try {
    const response = await fetchManagement(access, path);
    if (!response.ok) return { unseen: refusal(response.status, path, access.username) };
    return { value: take(schema.parse(await response.json())) };
  } catch (error) {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      return { unseen: 'the management API answered something that is not understood' };
    }
    return { unseen: (error as Error).message };
  }
}

function refusal(status: number, path: string, username: string): string {
  if (status === 401 && path === '/whoami') {
    return `the management API refused ${username} or its password, or the user has no tag`;
  }
  // It says 401 of users whose tag does not suffice.
  if (status === 401 || status === 403) {
    return `${username} may not see it (${status}): the tag monitoring or administrator is needed`;
  }
  if (status === 404) return 'this version of RabbitMQ does not tell';
  return `the management API answered ${status}`;
}
