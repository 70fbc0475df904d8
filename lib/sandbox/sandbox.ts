import { type ModelMessage, t } from '@/lib/i18n/t'
import type { RunFiles } from '@/lib/vfs/vfs'
import type { ReaderName } from './document-assets'
import { pythonAssets, pythonBytes } from './python-assets'

export type ConsoleLevel = 'log' | 'info' | 'warn' | 'error' | 'debug'

export type SandboxEvent =
  | { readonly type: 'console'; readonly level: ConsoleLevel; readonly text: string; readonly atMs: number }
  | {
      readonly type: 'display'
      /** `table`: JSON text of `{ columns: string[], rows: (string | number | boolean | null)[][], total: number }`. */
      readonly kind: 'text' | 'json' | 'table' | 'image' | 'svg' | 'html'
      readonly data: string
      readonly name?: string
      readonly atMs: number
    }
  /** The maximum number of runs is active, so this one waits; sent again with false when its turn has come. */
  | { readonly type: 'turn'; readonly waits: boolean; readonly atMs: number }
  /** Its frame and its language are ready and the code begins: the time limit counts from here. */
  | { readonly type: 'began'; readonly atMs: number }
  /** True when the code waits for a tool that it called; its time limit is paused. False when the code continues. */
  | { readonly type: 'paused'; readonly isPaused: boolean; readonly atMs: number }
  /** What a run still waits for before its code begins. */
  | { readonly type: 'progress'; readonly doing: RunStart; readonly part?: RunProgress; readonly atMs: number }
  /**
   * The progress of a call at a server, in the server's own text. `of`: null if the server does not report the total.
   */
  | {
      readonly type: 'remote'
      readonly host: string
      readonly message: string
      readonly done: number
      readonly of: number | null
      /** Not progress: the question will be received only after calls of other tabs have ended. */
      readonly isUnheard?: true
      readonly atMs: number
    }

/** Null: it no longer waits for anything. */
export type RunStart = 'python-loads' | 'python-starts' | 'packages-load' | null

/** Bytes received, and the total that a run waits for. */
export interface RunProgress {
  readonly done: number
  readonly of: number
}

/**
 * Readers parse documents: they run no code of a model, but process untrusted files. The `code` of their run is the
 * document's format.
 */
export type SandboxLanguage = 'javascript' | 'python' | ReaderName

export interface SandboxRun {
  readonly code: string
  /** Omitted: JavaScript (or TypeScript, whose types are removed). */
  readonly language?: SandboxLanguage
  /** The conversation's files, as the code sees and changes them. */
  readonly vfs: RunFiles
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onEvent: (event: SandboxEvent) => void
  /** Which tools the code may call while it runs. Left out: none, and `tools` is undefined. */
  readonly tools?: SandboxTools
}

/** The result of a tool as JSON text, or the reason why there is none, for people and models. */
export interface ToolAnswer {
  readonly id: number
  readonly ok: boolean
  readonly text: string
}

/** A tool that the code calls. `args`: JSON text. */
export interface ToolRequest {
  readonly id: number
  readonly name: string
  readonly args: string
}

/** Tools that code calls. The run's time limit is paused while the code only waits for one. */
export interface SandboxTools {
  readonly names: readonly string[]
  /**
   * Carries out a call. It may wait for the user without a time limit. Never rejects. `signal` aborts when the run ends
   * before the answer.
   */
  call(request: ToolRequest, signal: AbortSignal): Promise<Omit<ToolAnswer, 'id'>>
}

/** How a run ended. All texts come from the worker and are cut to the limits in `limits.ts`. */
export type SandboxEnd =
  | {
      readonly kind: 'returned'
      /** The return value of the code: JSON text if possible, else a readable rendering. */
      readonly value: string
      readonly valueIsJson: boolean
    }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'stopped' }
  /** The run exceeded the relay's budget: too many messages, calls or bytes. */
  | { readonly kind: 'flooded'; readonly refusal: ModelMessage }
  /** The frame did not start or died; a sentence that says what to do. */
  | { readonly kind: 'unavailable'; readonly refusal: ModelMessage }

/** `durationMs` counts from the beginning of its turn. */
export type SandboxOutcome = SandboxEnd & { readonly durationMs: number }

/** Runs model-written JavaScript isolated from the app: opaque origin, no network, killable. */
export interface Sandbox {
  run(run: SandboxRun): Promise<SandboxOutcome>
  /**
   * Creates the frame before the first run, because its files may not be loadable later without a network. Never
   * rejects.
   */
  prepare?(): Promise<void>
  /** Releases workers and files that are cached for the next run; an active run continues. */
  release?(): void
  dispose(): void
}

/** What a run waits for before its code begins: its turn, or the state in its last progress event; '' if nothing. */
export function waitsFor(events: readonly SandboxEvent[]): string {
  const turn = events.findLast((event) => event.type === 'turn')
  if (turn?.waits) return t('run.turn')
  const { doing = null, part } = events.findLast((event) => event.type === 'progress') ?? {}
  if (doing === null) return ''
  if (doing !== 'python-loads') return t(doing === 'packages-load' ? 'run.packages-load' : 'run.python-starts')
  return t('run.python-loads', { done: megabytes(part?.done ?? 0), of: megabytes(part?.of ?? 0) })
}

/** The unit of download progress. */
export const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000)

/** How much of it was received, if that is known. */
export const waitedPart = (events: readonly SandboxEvent[]): RunProgress | null =>
  events.findLast((event) => event.type === 'progress')?.part ?? null

/** Reports the progress of Python's start, in steps of a megabyte. */
export function createPythonProgress(say: (doing: RunStart, part?: RunProgress) => void) {
  const loaded = new Map<string, number>()
  const done = new Set<string>()
  const names = Object.values(pythonAssets)
  let lastNotice = ''
  let waiting = 0

  const tell = (doing: RunStart, part?: RunProgress) => {
    const seen = `${doing ?? ''} ${part ? megabytes(part.done) : ''}`
    if (seen === lastNotice) return
    lastNotice = seen
    say(doing, part)
  }
  const reportLoaded = () => {
    const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0)
    tell('python-loads', { done: Math.min(bytes, pythonBytes), of: pythonBytes })
  }
  return {
    add(name: string, bytes: number): void {
      loaded.set(name, bytes)
      reportLoaded()
    },
    loaded(name: string): void {
      done.add(name)
      if (done.size === names.length) tell('python-starts')
    },
    /** A package was requested while the code waits (1), or has arrived (-1). */
    packages(pending: 1 | -1): void {
      waiting += pending
      tell(waiting > 0 ? 'packages-load' : null)
    },
    /** The code runs now: nothing is left to report. */
    over(): void {
      if (lastNotice !== '') tell(null)
    },
  }
}
