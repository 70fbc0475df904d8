import { type Told, t } from '@/lib/i18n/t'
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
  /** As many runs as may be are under way, so that this one waits; and again, with false, when its turn has come. */
  | { readonly type: 'turn'; readonly waits: boolean; readonly atMs: number }
  /** Its frame and its language are there and the code begins: the time limit counts from here. */
  | { readonly type: 'began'; readonly atMs: number }
  /** The code waits for a tool that it called, and its time limit does not count; and again, with false, when it goes on. */
  | { readonly type: 'paused'; readonly isPaused: boolean; readonly atMs: number }
  /** What a run still waits for before its code begins. */
  | { readonly type: 'progress'; readonly doing: RunStart; readonly part?: RunProgress; readonly atMs: number }
  /** How far a call at a server is, in the server's own words. `of`: null where the server does not say. */
  | {
      readonly type: 'remote'
      readonly host: string
      readonly message: string
      readonly done: number
      readonly of: number | null
      /** No progress: what it asks is heard only once calls of other tabs have ended. */
      readonly isUnheard?: true
      readonly atMs: number
    }

/** Null: nothing any more. */
export type RunStart = 'python-loads' | 'python-starts' | 'packages-load' | null

/** Bytes that are here, of all that a run waits for. */
export interface RunProgress {
  readonly done: number
  readonly of: number
}

/** Readers take documents apart: no code of a model's, but files of strangers. Their code is the format. */
export type SandboxLanguage = 'javascript' | 'python' | ReaderName

export interface SandboxRun {
  readonly code: string
  /** Left out: JavaScript (or TypeScript, whose types are taken out). */
  readonly language?: SandboxLanguage
  /** The conversation's files, as the code sees and changes them. */
  readonly vfs: RunFiles
  readonly timeoutMs: number
  readonly signal: AbortSignal
  readonly onEvent: (event: SandboxEvent) => void
  /** What the code may call while it runs; left out: nothing, and it has no `tools`. */
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

/** Tools that code calls. The run's time limit does not count while code does nothing but wait for one. */
export interface SandboxTools {
  readonly names: readonly string[]
  /**
   * Carries out a call. It may wait for the user without a time limit. Never rejects. `signal` aborts when the run ends
   * before the answer.
   */
  call(request: ToolRequest, signal: AbortSignal): Promise<Omit<ToolAnswer, 'id'>>
}

/** How a run ended. All texts were made inside the worker and are cut at the caps of `limits.ts`. */
export type SandboxEnd =
  | {
      readonly kind: 'returned'
      /** What the code returned: JSON text when it can be JSON, else a readable rendering. */
      readonly value: string
      readonly valueIsJson: boolean
    }
  | { readonly kind: 'threw'; readonly message: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'stopped' }
  /** Budgets of the relay were passed: too many messages, calls or bytes. */
  | { readonly kind: 'flooded'; readonly told: Told }
  /** The frame did not start or died; a sentence with the way out. */
  | { readonly kind: 'unavailable'; readonly told: Told }

/** `durationMs` counts from where it had its turn. */
export type SandboxOutcome = SandboxEnd & { readonly durationMs: number }

/** Runs model-written JavaScript away from the app: opaque origin, no network, killable. */
export interface Sandbox {
  run(run: SandboxRun): Promise<SandboxOutcome>
  /** Has its frame there before the first run: what that is made of may not come any more without a network. Never rejects. */
  prepare?(): Promise<void>
  /** Lets go of what is kept for the next run; one that is under way goes on. */
  release?(): void
  dispose(): void
}

/** What a run waits for before its code begins: its turn, or what its last progress says; '' when it waits for nothing. */
export function waitsFor(events: readonly SandboxEvent[]): string {
  const turn = events.findLast((event) => event.type === 'turn')
  if (turn?.waits) return t('run.turn')
  const { doing = null, part } = events.findLast((event) => event.type === 'progress') ?? {}
  if (doing === null) return ''
  if (doing !== 'python-loads') return t(doing === 'packages-load' ? 'run.packages-load' : 'run.python-starts')
  return t('run.python-loads', { done: megabytes(part?.done ?? 0), of: megabytes(part?.of ?? 0) })
}

/** Of which a download is told in. */
export const megabytes = (bytes: number): number => Math.round(bytes / 1_000_000)

/** How much of it is here, where that is known. */
export const waitedPart = (events: readonly SandboxEvent[]): RunProgress | null =>
  events.findLast((event) => event.type === 'progress')?.part ?? null

/** Says how far Python's start is, each time that a reader would see a change: by the megabyte. */
export function createPythonProgress(say: (doing: RunStart, part?: RunProgress) => void) {
  const loaded = new Map<string, number>()
  const done = new Set<string>()
  const names = Object.values(pythonAssets)
  let said = ''
  let waiting = 0

  const tell = (doing: RunStart, part?: RunProgress) => {
    const seen = `${doing ?? ''} ${part ? megabytes(part.done) : ''}`
    if (seen === said) return
    said = seen
    say(doing, part)
  }
  const tellLoaded = () => {
    const bytes = [...loaded.values()].reduce((sum, each) => sum + each, 0)
    tell('python-loads', { done: Math.min(bytes, pythonBytes), of: pythonBytes })
  }
  return {
    add(name: string, bytes: number): void {
      loaded.set(name, bytes)
      tellLoaded()
    },
    loaded(name: string): void {
      done.add(name)
      if (done.size === names.length) tell('python-starts')
    },
    /** A package is asked for while the code waits, or is there. */
    packages(pending: 1 | -1): void {
      waiting += pending
      tell(waiting > 0 ? 'packages-load' : null)
    },
    /** The code runs now: nothing is left to say. */
    over(): void {
      if (said !== '') tell(null)
    },
  }
}
