import type { RelayToWorker, WorkerToRelay } from '../protocol'

/** What the frame hands a Python worker first, before any foreign code is there. */
export interface PythonStart {
  readonly type: 'start'
  /** Text of pyodide.asm.mjs. */
  readonly script: Uint8Array<ArrayBuffer>
  /** pyodide.asm.wasm, compiled once a frame. */
  readonly module: WebAssembly.Module
  /** python_stdlib.zip. */
  readonly stdlib: Uint8Array<ArrayBuffer>
  /** The memory of an interpreter that has run nothing foreign yet; null: start one, and send its memory back. */
  readonly snapshot: Uint8Array<ArrayBuffer> | null
}

export type FrameToPython = PythonStart | RelayToWorker

export type PythonToFrame = WorkerToRelay | { readonly type: 'snapshot'; readonly snapshot: Uint8Array<ArrayBuffer> }
