import { hostname } from 'node:os';
import type { BrokerSession } from '@warren/broker';
import { catalog } from '@warren/catalog';
import { newJobId } from '@warren/contracts';
import {
  CircuitHold,
  discard,
  editEach,
  type FoundSource,
  type LetterProgress,
  planReplay,
  type ReplayOptions,
  type ReplayTarget,
  readRunSettings,
  readStoredSelection,
  replay,
  type TakeReport,
} from '@warren/dead-letter';
import { HistoryWriter, type WorkerWatch } from '@warren/history';
import type { LetterRunRecord, Store } from '@warren/store';
import type { Logger, Metrics } from '@warren/telemetry';
import type { RunChange, RunDesk, RunRequest } from '../domain/dead-letters/run-desk.ts';
import type { WriteDown } from '../domain/write-down.ts';
import type { Streams } from '../history-source.ts';
import type { LetterSessions } from './letter-session.ts';
import { type MeteredReplay, ReplayMeter } from './replay-meter.ts';
import { runCanary } from './run-canary.ts';

/** What runs are made of. */
export interface LetterRunsOptions {
  readonly sessions: LetterSessions;
  readonly store: Pick<Store, 'letterRuns'>;
  readonly writeDown: WriteDown;
  /** Absent where no history is kept. */
  readonly streams?: Streams | undefined;
  /** Hears of circuits; absent as well. */
  readonly watch?: Pick<WorkerWatch, 'follow'> | undefined;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** One that is begun, or resumed. */
interface Launch {
  readonly id: string;
  readonly request: RunRequest;
  readonly record?: LetterRunRecord | undefined;
}

/** By whether it was begun with one. */
const EDIT_PROBLEM = {
  true: { field: 'edit', message: 'it was begun with one, which the ledger does not keep' },
  false: { field: 'edit', message: 'it was begun without' },
} as const;

/** Replays and discards that this process does, each over a connection of its own. */
export class LetterRunsHere implements RunDesk {
  readonly #options: LetterRunsOptions;
  readonly #stops = new Map<string, AbortController>();
  readonly #underWay = new Set<Promise<void>>();
  readonly #history: HistoryWriter | undefined;
  readonly #replays: ReplayMeter;
  #isClosed = false;

  constructor(options: LetterRunsOptions) {
    this.#options = options;
    this.#history = historyOf(options);
    const { names } = options.sessions.topology;
    const deadQueues = catalog.map(({ type }) => names.deadQueue(type));
    this.#replays = new ReplayMeter(options.metrics, [...deadQueues, names.unroutable]);
  }

  /** Is told of what is done to dead letters; closed with this. */
  get history(): HistoryWriter | undefined {
    return this.#history;
  }

  find(id: string): Promise<LetterRunRecord | undefined> {
    return this.#options.store.letterRuns.find(id);
  }

  list: RunDesk['list'] = (page) => this.#options.store.letterRuns.list(page);

  async plan(request: RunRequest) {
    const { sessions } = this.#options;
    const source = sessions.source(request.queue);
    const to = sessions.target(request.settings.to);
    const rewrite = this.#rewrite(request.edit, source, to, undefined);
    return sessions.look(source, (session) => {
      const { limit, maxReplays } = request.settings;
      const what = { selection: request.selection, limit, maxReplays, to, rewrite };
      return planReplay({ ...this.#common(session, source, 'nobody'), ...what });
    });
  }

  async start(request: RunRequest, by: string): Promise<LetterRunRecord> {
    const to = this.#options.sessions.target(request.settings.to)?.queue;
    const settings = { ...request.settings, to };
    return this.#launch({ id: newJobId(), request: { ...request, settings } }, by);
  }

  async resume(id: string, by: string, edit?: unknown): Promise<RunChange> {
    const record = await this.find(id);
    if (!record) return { kind: 'missing' };
    if (record.state !== 'stopped' && record.state !== 'interrupted') {
      return { kind: 'conflict', run: record };
    }
    const { kind, queue, reason } = record;
    const settings = readRunSettings(record.settings);
    const { isEdited = false } = settings;
    if (isEdited !== (edit !== undefined))
      return { kind: 'refused', ...EDIT_PROBLEM[`${isEdited}`] };
    const selection = record.isFixed ? {} : readStoredSelection(record.selection);
    const request = { kind, queue, selection, settings, reason, edit };
    return { kind: 'done', run: await this.#launch({ id, request, record }, by) };
  }

  async stop(id: string, by: string): Promise<RunChange> {
    const { store, writeDown } = this.#options;
    const run = await this.find(id);
    if (!run) return { kind: 'missing' };
    if (run.state !== 'running' && run.state !== 'choosing') return { kind: 'conflict', run };
    await writeDown(by, `dead.${run.kind}.stop`, { run: id, queue: run.queue });
    if (!(await store.letterRuns.askToStop(id))) return { kind: 'conflict', run };
    this.#stops.get(id)?.abort();
    return { kind: 'done', run: { ...run, isStopAsked: true } };
  }

  /** All stop between two letters, to be resumed by whoever likes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const stop of this.#stops.values()) stop.abort();
    await Promise.all(this.#underWay);
    await this.#history?.close();
  }

  /** Resolves when the ledger has it, and it has the queue to itself. */
  async #launch(launch: Launch, by: string): Promise<LetterRunRecord> {
    const { sessions, logger } = this.#options;
    const source = sessions.source(launch.request.queue);
    let begin: () => void = () => {};
    let isBegun = false;
    const begun = new Promise<void>((resolve) => {
      begin = () => {
        isBegun = true;
        resolve();
      };
    });
    const run = sessions.with((session) => this.#run(session, source, launch, by, begin));
    const ended = run.then(
      () => {},
      (error: unknown) => {
        if (isBegun)
          logger.warn({ err: error, run_id: launch.id }, 'a run over dead letters failed');
      },
    );
    this.#underWay.add(ended);
    void ended.finally(() => this.#underWay.delete(ended));
    await Promise.race([begun, run]);
    const record = await this.find(launch.id);
    if (!record) throw new Error(`${launch.id} is not in the ledger`);
    return record;
  }

  async #run(
    session: BrokerSession,
    source: FoundSource,
    launch: Launch,
    by: string,
    begin: () => void,
  ): Promise<void> {
    const stop = new AbortController();
    this.#stops.set(launch.id, stop);
    if (this.#isClosed) stop.abort();
    const circuits = this.#followCircuits(launch.request);
    let metered: MeteredReplay | undefined;
    const onBegun = () => {
      if (launch.request.kind === 'replay') metered = this.#replays.begin(source.queue);
      begin();
    };
    try {
      const { selection, settings } = launch.request;
      const { limit, ratePerSecond, maxReplays } = settings;
      const to = this.#options.sessions.target(settings.to);
      const { edit, reason } = launch.request;
      const told = { by, run: launch.id, reason };
      const options = {
        rewrite: this.#rewrite(edit, source, to, told),
        ...this.#common(session, source, by),
        history: this.#history,
        signal: stop.signal,
        selection,
        limit,
        ratePerSecond,
        maxReplays,
        to,
        canary: runCanary(this.#options, session, to?.dead ?? source, settings),
        ledger: this.#ledger(launch, source, by, onBegun),
        hold: circuits?.hold,
        onProgress: (progress: LetterProgress) => metered?.progress(progress),
      };
      const report = await (launch.request.kind === 'replay' ? replay : discard)(options);
      if ('replayed' in report) metered?.end(report);
      metered = undefined;
      await this.#tellEnd(report, launch, by);
    } finally {
      metered?.end();
      circuits?.stop();
      this.#stops.delete(launch.id);
    }
  }

  /** Of circuits that its jobs would wait for; undefined where it does not heed them. */
  #followCircuits({ kind, settings }: RunRequest) {
    const { watch, sessions } = this.#options;
    if (!watch || kind !== 'replay' || settings.ignoreBreakers) return undefined;
    const hold = new CircuitHold(sessions.topology.names);
    const following = watch.follow((circuits) => hold.hear(circuits));
    return {
      hold: following.then(() => hold),
      stop: () => void following.then((stop) => stop()),
    };
  }

  /** Old and new are written down before the new one is sent. */
  #rewrite(
    patch: unknown,
    source: FoundSource,
    to: ReplayTarget | undefined,
    told: { by: string; run: string; reason: string | undefined } | undefined,
  ): ReplayOptions['rewrite'] {
    if (patch === undefined) return undefined;
    const { sessions, writeDown } = this.#options;
    const known = { jobs: catalog, names: sessions.topology.names };
    const { queue } = source;
    return editEach({
      patch,
      source,
      known,
      to,
      async onEdited({ id, generation }, { before, after }) {
        if (!told) return;
        const { by, ...why } = told;
        await writeDown(by, 'dead.edit', { queue, id, generation, ...why, before, after });
      },
    });
  }

  #common(session: BrokerSession, source: FoundSource, by: string): ReplayOptions {
    const { topology } = this.#options.sessions;
    const holder = `gateway ${hostname()} (pid ${process.pid}) for ${by}`;
    return { session, topology, source, holder, by };
  }

  #ledger({ id, request, record }: Launch, { queue }: FoundSource, by: string, begin: () => void) {
    const { store, writeDown } = this.#options;
    const { kind, selection, settings, reason } = request;
    const { isFixed, isCanaryPassed } = record ?? {};
    const details = record ? { resumed: true } : { selection, settings, reason };
    return {
      store: store.letterRuns,
      id,
      isFixed,
      isCanaryPassed,
      async begin() {
        await writeDown(by, `dead.${kind}`, { run: id, queue, ...details });
        const run = { id, kind, queue, actor: by, reason, selection, settings };
        await (record ? store.letterRuns.resume(id) : store.letterRuns.begin(run));
        begin();
        return true;
      },
    };
  }

  async #tellEnd(report: TakeReport, { id, request }: Launch, by: string): Promise<void> {
    const { writeDown, logger } = this.#options;
    const details = { run: id, queue: report.queue, report };
    await writeDown(by, `dead.${request.kind}.ended`, details).catch((error: unknown) =>
      logger.warn(
        { err: error, run_id: id },
        'the end of a run over dead letters was not written down',
      ),
    );
  }
}

function historyOf({ streams, logger, metrics }: LetterRunsOptions): HistoryWriter | undefined {
  if (!streams) return undefined;
  const { broker, names } = streams;
  const { publisher } = broker;
  const service = 'gateway';
  return new HistoryWriter({ publisher, exchange: names.lifecycle, service, logger, metrics });
}
