import type { VfsSnapshot } from '@/lib/vfs/vfs'
import type { ConsoleLevel, SandboxLanguage, ToolAnswer, ToolRequest } from '../sandbox'

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
  | {
      readonly type: 'run'
      readonly run: string
      readonly code: string
      readonly language: SandboxLanguage
      /** Names of the tools that the code may call. Left out: `tools` is undefined. */
      readonly tools?: readonly string[]
    }
  | { readonly type: 'kill'; readonly run: string }
  | { readonly type: 'answer'; readonly run: string; readonly id: number; readonly answer: Answer }
  | { readonly type: 'asset'; readonly run: string; readonly id: number; readonly bytes: AssetBytes }
  | ({ readonly type: 'tool-answer'; readonly run: string } & ToolAnswer)
  /** Asks a worker that waits for a tool whether its thread is free. */
  | { readonly type: 'idle'; readonly run: string; readonly n: number }
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
  | ({ readonly type: 'tool'; readonly run: string } & ToolRequest)
  | { readonly type: 'idle'; readonly run: string; readonly n: number }
  | { readonly type: 'done'; readonly run: string; readonly end: RunEnd }

export type RelayToWorker =
  | { readonly type: 'run'; readonly code: string; readonly tools?: readonly string[] }
  | ({ readonly type: 'tool-answer' } & ToolAnswer)
  | { readonly type: 'idle'; readonly n: number }
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
  | ({ readonly type: 'tool' } & ToolRequest)
  | { readonly type: 'idle'; readonly n: number }
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

/** The tool calls of a run. Each waits in the worker until the page answers. */
export function createToolCalls(send: (message: { readonly type: 'tool' } & ToolRequest) => void): {
  readonly callTool: (name: string, args: string) => Promise<ToolAnswer>
  readonly take: (answer: ToolAnswer) => void
  /** Resolves when no call is open. */
  readonly idle: () => Promise<void>
} {
  const open = new Map<number, (answer: ToolAnswer) => void>()
  const underWay = new Set<Promise<ToolAnswer>>()
  let calls = 0
  return {
    callTool(name, args) {
      const id = ++calls
      const answer = new Promise<ToolAnswer>((resolve) => {
        open.set(id, resolve)
        send({ type: 'tool', id, name, args })
      })
      underWay.add(answer)
      void answer.then(() => underWay.delete(answer))
      return answer
    },
    take(answer) {
      open.get(answer.id)?.(answer)
      open.delete(answer.id)
    },
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
