import { isReaderName } from './document-assets'
import type { SandboxLanguage } from './sandbox'

/** What one run may send out of the worker before the relay ends it. Characters are UTF-16 units. */
export interface RelayBudget {
  readonly messages: number
  readonly logLines: number
  readonly logCharacters: number
  /** Words with the page about files: an honest run has two. */
  readonly calls: number
  /** Characters of one call's arguments; more fails that call alone. */
  readonly callSize: number
  /** Bytes of the one Blob that a run hands in with its changes. */
  readonly commitBytes: number
  /** Asked for, known or not; each is handed over once a run. Packages of Python bring dozens of others. */
  readonly assets: number
  readonly displays: number
  readonly displayCharacters: number
  readonly resultCharacters: number
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
}

/** A reader sends the parts of a document as displays. It has no files but that one, and nothing to hand in. */
export const readerBudget: RelayBudget = {
  ...relayBudget,
  messages: 5_000,
  logLines: 0,
  calls: 1,
  callSize: 0,
  commitBytes: 0,
  displays: 3_000,
  // The text of a document in JSON, where letters may take more.
  displayCharacters: 12_000_000,
}

export const budgetOf = (language: SandboxLanguage): RelayBudget =>
  isReaderName(language) ? readerBudget : relayBudget

/** What the prelude keeps to by itself, below the relay's budget, so that honest code is cut and never ended. */
export const preludeLimits = {
  logLines: 2_000,
  logCharacters: 256_000,
  logLineCharacters: 8_192,
  resultCharacters: 256_000,
  displayCharacters: 2_000_000,
  displays: 50,
} as const

/**
 * Interpreters at once. Each is its own copy of the language, so that as many as runs of JavaScript would be too much for a
 * phone: see docs/decisions/2026-11-21-sandbox.md.
 */
export const maxParallelPython = 2

/** Milliseconds. */
export const sandboxTimes = {
  frameStart: 8_000,
  /** No `pong` within this time: the frame is dead and is made again. */
  pong: 1_500,
  /** No answer to a kill within this time: the frame is removed. */
  killAck: 400,
  /** The run's clock stands while the page loads assets or works on files, for as long as this in all. */
  maxPause: 60_000,
  /** For Python, whose packages may be tens of megabytes. */
  packagesPause: 180_000,
  /** A language that has to start first (Python) has this long before the run's own time begins. */
  languageStart: 180_000,
} as const
