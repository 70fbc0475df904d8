import { type SandboxLanguage } from './sandbox'
import { isReaderName } from './document-assets'

/** What one run may send from the worker before the relay ends it. Characters are UTF-16 units. */
export interface RelayBudget {
  readonly messages: number
  readonly logLines: number
  readonly logCharacters: number
  /** Requests to the page about files: an honest run makes two. */
  readonly calls: number
  /** Characters of one call's arguments; a larger call fails alone. */
  readonly callSize: number
  /** Bytes of the one Blob in which a run submits its changes. */
  readonly commitBytes: number
  /** Requested assets, known or not; each is sent once per run. Python packages depend on dozens of others. */
  readonly assets: number
  readonly displays: number
  readonly displayCharacters: number
  readonly resultCharacters: number
  /** Number of tools that one run may call. */
  readonly toolCalls: number
  /** Total characters of the arguments of these calls. */
  readonly toolArguments: number
}

export const relayBudget: RelayBudget = {
  messages: 25_000,
  logLines: 2_500,
  logCharacters: 400_000,
  calls: 100,
  callSize: 20_000_000,
  commitBytes: 500_000_000,
  assets: 100,
  displays: 50,
  displayCharacters: 2_000_000,
  resultCharacters: 300_000,
  toolCalls: 50,
  toolArguments: 200_000,
}

/** A reader sends the parts of a document as displays. It has only that file, and submits no changes. */
export const readerBudget: RelayBudget = {
  ...relayBudget,
  messages: 5_000,
  logLines: 0,
  calls: 1,
  callSize: 0,
  commitBytes: 0,
  displays: 3_000,
  toolCalls: 0,
  // The text of a document in JSON, where letters may take more.
  displayCharacters: 12_000_000,
}

export const budgetOf = (language: SandboxLanguage): RelayBudget =>
  isReaderName(language) ? readerBudget : relayBudget

/** Limits that the prelude enforces itself, below the relay's budget, so that honest code is cut and never ended. */
export const preludeLimits = {
  logLines: 2_000,
  logCharacters: 256_000,
  logLineCharacters: 8_192,
  resultCharacters: 256_000,
  displayCharacters: 2_000_000,
  displays: 50,
} as const

/**
 * Maximum number of interpreters at once. Each is a separate copy of the language, so as many as JavaScript runs would
 * be too much for a phone: see docs/decisions/2026-11-21-sandbox.md.
 */
export const maxParallelPython = 2

/** Runs that wait for a tool and meanwhile give their place to another run. Each keeps its frame and interpreter. */
export const maxPausedRuns = 2

/** Milliseconds. */
export const sandboxTimes = {
  frameStart: 8_000,
  /** Without a `pong` within this time before a run, the frame is dead and is recreated. */
  pong: 1_500,
  /**
   * Between two pings while code runs; after the third silence the run is given up. A frame that died says so at once,
   * and a stop needs no answer, so this only ends frames that hang: a slow machine must not lose a run to it.
   */
  heartbeat: 4_000,
  /** Without an answer to a kill within this time, the frame is removed. */
  killAck: 400,
  /** The run's clock pauses while the page loads assets or works on files, for at most this long in total. */
  maxPause: 60_000,
  /** How often the page checks that waiting code only waits. If it does more, its clock runs. */
  idleCheck: 1_000,
  /** A thread that is busy for longer is doing work. */
  idleGrace: 250,
  /** For Python, whose packages may be tens of megabytes. */
  packagesPause: 180_000,
  /** The maximum start time of a language that has to start first (Python), before the run's own time begins. */
  languageStart: 180_000,
} as const
