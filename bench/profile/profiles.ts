/** Where the code of a function is. */
export interface CallFrame {
  readonly functionName: string;
  /** Empty for what is built in. */
  readonly url: string;
  /** From 0. */
  readonly lineNumber: number;
}

/** As much of a CPU profile as is read here. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: CallFrame }[];
  /** Of which node each sample is. */
  readonly samples: readonly number[];
  /** Microseconds from each sample to the one before. */
  readonly timeDeltas: readonly number[];
}

/** A function, called in one certain way, and what it calls. */
export interface AllocationNode {
  readonly callFrame: CallFrame;
  /** Bytes of the objects that it made itself, reckoned from those that were looked at. */
  readonly selfSize: number;
  readonly children: readonly AllocationNode[];
}

/** As much of a profile of allocations as is read here. */
export interface AllocationProfile {
  readonly head: AllocationNode;
}
