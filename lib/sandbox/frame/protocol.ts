import type { VfsSnapshot } from '@/lib/vfs/vfs'
import type { ConsoleLevel, SandboxLanguage } from '../sandbox'

/*
 * page ⇄ relay (in the opaque frame, over one MessagePort) ⇄ worker (one per run, untrusted code).
 * Everything from the worker is untrusted: the relay validates and counts it, and adds the run's id. Only strings,
 * bytes, numbers and booleans are sent to the page.
 */

export type DisplayKind = 'text' | 'json' | 'table' | 'image' | 'svg' | 'html'

/** The frame's first message, by window.postMessage, and the page's answer that carries the port. */
export interface FrameHello {
  readonly type: 'nod-sandbox-hello'
}
export interface FrameOpen {
  readonly type: 'nod-sandbox-open'
}

/** A Blob only for `commit`: all changes of a run in one piece. */
export type CallArgument = string | Blob

/** All files as of one moment, and the allowed access to them. */
export interface RunSnapshot extends Omit<VfsSnapshot, 'isReadOnly'> {
  /** `read`: the files can't be changed. `none`: they are not visible either, and the snapshot is empty. */
  readonly access: 'write' | 'read' | 'none'
  readonly limits: { readonly maxFileBytes: number; readonly maxTotalBytes: number; readonly maxFiles: number }
}

export type Answer =
  | { readonly ok: true; readonly value: AnswerValue }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** What a file operation returns to the code. */
export type AnswerValue = null | RunSnapshot

/** Null: there is no such asset, or it could not be loaded. */
export type AssetBytes = Uint8Array<ArrayBuffer> | null

export type HostToRelay =
  | { readonly type: 'run'; readonly run: string; readonly code: string; readonly language: SandboxLanguage }
  | { readonly type: 'kill'; readonly run: string }
  | { readonly type: 'answer'; readonly run: string; readonly id: number; readonly answer: Answer }
  | { readonly type: 'asset'; readonly run: string; readonly id: number; readonly bytes: AssetBytes }
  | { readonly type: 'ping'; readonly n: number }

export type RunConsoleLine = readonly [level: ConsoleLevel, text: string]

export type RunEnd =
  | { readonly kind: 'returned'; readonly text: string; readonly isJson: boolean }
  | { readonly kind: 'threw'; readonly text: string }
  | {
      /** `of`: what it sent too many of. */
      readonly kind: 'flooded'
      readonly of: 'messages' | 'calls'
    }

export type RelayToHost =
  | { readonly type: 'ready' }
  | { readonly type: 'pong'; readonly n: number }
  | { readonly type: 'killed'; readonly run: string }
  /** The worker has its code: its time limit counts from now on. Sent only for languages that have to start first. */
  | { readonly type: 'started'; readonly run: string }
  | { readonly type: 'asset'; readonly run: string; readonly id: number; readonly name: string }
  | { readonly type: 'log'; readonly run: string; readonly lines: readonly RunConsoleLine[] }
  | {
      readonly type: 'show'
      readonly run: string
      readonly kind: DisplayKind
      readonly data: string
      readonly name?: string
    }
  | {
      readonly type: 'call'
      readonly run: string
      readonly id: number
      readonly op: string
      readonly args: readonly CallArgument[]
    }
  | { readonly type: 'done'; readonly run: string; readonly end: RunEnd }

export type RelayToWorker =
  | { readonly type: 'run'; readonly code: string }
  | { readonly type: 'answer'; readonly id: number; readonly answer: Answer }
  | { readonly type: 'asset'; readonly id: number; readonly bytes: AssetBytes }

/** Messages of an honest prelude; the relay trusts none of them. */
export type WorkerToRelay =
  /** From a prelude that had to start its language first: it receives the code now. */
  | { readonly type: 'ready' }
  | { readonly type: 'asset'; readonly id: number; readonly name: string }
  | { readonly type: 'log'; readonly lines: readonly RunConsoleLine[] }
  | { readonly type: 'show'; readonly kind: DisplayKind; readonly data: string; readonly name?: string }
  | { readonly type: 'call'; readonly id: number; readonly op: string; readonly args: readonly CallArgument[] }
  | { readonly type: 'done'; readonly ok: boolean; readonly text: string; readonly isJson: boolean }

/** Requests a file operation from the page; the answer comes as data. */
export type CallHost = (op: string, args: readonly CallArgument[]) => Promise<Answer>

/** The requests of a run to the page about its files. */
export function createHostCalls(
  send: (message: {
    readonly type: 'call'
    readonly id: number
    readonly op: string
    readonly args: readonly CallArgument[]
  }) => void,
): { readonly callHost: CallHost; readonly take: (id: number, answer: Answer) => void } {
  const answers = new Map<number, (answer: Answer) => void>()
  let calls = 0
  return {
    callHost: (op, args) =>
      new Promise<Answer>((resolve) => {
        const id = ++calls
        answers.set(id, resolve)
        send({ type: 'call', id, op, args })
      }),
    take(id, answer) {
      answers.get(id)?.(answer)
      answers.delete(id)
    },
  }
}
