/**
 * Erlang expressions for `rabbitmqctl eval`. They use only functions that RabbitMQ 3.10 and 4.3 both have.
 */

const string = (text: string): string => JSON.stringify(text);

/** What a node may be short of. */
export type Resource = 'memory' | 'disk';

/**
 * Raises or clears an alarm itself. The broker's monitors only report changes of their own verdict, so the alarm stays
 * as it is set here.
 */
export function resourceAlarm(resource: Resource, on: boolean): string {
  const change = on
    ? `rabbit_alarm:set_alarm({{resource_limit, ${resource}, node()}, []})`
    : `rabbit_alarm:clear_alarm({resource_limit, ${resource}, node()})`;
  // The change itself is only sent: what is asked of the same process afterwards is answered when every connection was told.
  return `${change}, gen_event:which_handlers(rabbit_alarm), ok.`;
}

const closeAll = (reason: string): string =>
  `[catch rabbit_networking:close_connection(C, ${string(reason)}) || C <- rabbit_networking:connections()]`;

/** Closes every client connection with `connection.close` (320, the reason). */
export function closeConnections(reason: string): string {
  return `${closeAll(reason)}, ok.`;
}

/**
 * Starts an Erlang process that closes every client connection `times` times, each `intervalMs` after the
 * one before, and yields its id. It ends by itself, or when it is sent `stop`.
 */
export function closeConnectionsLoop(intervalMs: number, times: number, reason: string): string {
  return `Loop = fun Again(0) -> ok;
    Again(Left) -> receive stop -> ok after ${intervalMs} -> ${closeAll(reason)}, Again(Left - 1) end end,
  pid_to_list(spawn(fun() -> Loop(${times}) end)).`;
}

/**
 * Starts an Erlang process that makes the log of the quorum queues as slow as a disk that takes `ms` for each write, and yields
 * its id. It ends when it is sent `stop`; a process that was suspended by one that ends goes on.
 */
export function slowLogLoop(ms: number): string {
  return `Log = whereis(ra_log_wal), true = is_pid(Log),
  Loop = fun Again() -> erlang:suspend_process(Log),
    receive stop -> ok after ${ms} -> erlang:resume_process(Log), timer:sleep(2), Again() end end,
  pid_to_list(spawn(Loop)).`;
}

/** Ends such a process and waits until it is gone. */
export function endLoop(processId: string): string {
  return `P = list_to_pid(${string(processId)}), M = monitor(process, P), P ! stop,
  receive {'DOWN', M, _, _, _} -> ok end.`;
}

/**
 * Breaks a node's links to the others: they are not let in any more, since the node takes them to have another cookie
 * than they have. `rabbitmqctl` is none of them.
 */
export function breakLinks(others: readonly string[]): string {
  return `[begin erlang:set_cookie(N, broken), erlang:disconnect_node(N) end || N <- [${atoms(others)}]], ok.`;
}

/** Undoes `breakLinks`. */
export function mendLinks(others: readonly string[]): string {
  return `[begin erlang:set_cookie(N, erlang:get_cookie()), net_kernel:connect_node(N) end || N <- [${atoms(others)}]], ok.`;
}

/** The node of a quorum queue's leader, then the nodes of all its members. */
export function queueMembers(queue: string): string {
  return `{ok, Q} = rabbit_amqqueue:lookup(rabbit_misc:r(<<"/">>, queue, <<${string(queue)}>>)),
  {Name, _} = amqqueue:get_pid(Q),
  {ok, Members, {_, Leader}} = ra:members({Name, node()}, 5000),
  [Leader | [N || {_, N} <- Members]].`;
}

const atoms = (nodes: readonly string[]): string => nodes.map((node) => `'${node}'`).join(', ');

/** Writes every table that the broker keeps in memory for a while (dets) to its file. */
export const FLUSH_TABLES = '[ok = dets:sync(T) || T <- dets:all()], ok.';
