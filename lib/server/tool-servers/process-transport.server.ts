import { spawn, type ChildProcess } from 'node:child_process'
import { ReadBuffer, serializeMessage, type JSONRPCMessage, type Transport } from '@modelcontextprotocol/client'

/** The largest message of a server; a larger one ends it. */
const MAX_MESSAGE_BYTES = 8_000_000
const STDERR_CHARS = 4_000
/** How long a process may take to exit after its input was closed, and again after SIGTERM. */
const LEAVE_MS = 1_000

export interface ProcessParameters {
  readonly command: string
  readonly args: readonly string[]
  /** The whole environment of the process. */
  readonly env: Readonly<Record<string, string>>
  readonly folder: string | null
}

export interface ProcessListeners {
  /** Called with the result of the request with this id, in any form. */
  readonly onResult: (id: string | number, result: unknown) => void
  /** A message was too large; the process is being ended. */
  readonly onTooLarge: () => void
}

/** Running process groups; none may outlive this process. */
const groups = new Set<number>()
let isArmed = false

/**
 * A program that speaks the protocol through its standard input and output. Unlike the SDK's own transport, it is a
 * process group, so that child processes of a launcher like `npx` end with it, and its environment contains only what
 * is given.
 */
export class ProcessTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  #child: ChildProcess | null = null
  #gone: Promise<void> = Promise.resolve()
  #stderr = ''
  readonly #parameters: ProcessParameters
  readonly #hears: ProcessListeners
  readonly #buffer = new ReadBuffer({ maxBufferSize: MAX_MESSAGE_BYTES })

  constructor(parameters: ProcessParameters, hears: ProcessListeners) {
    this.#parameters = parameters
    this.#hears = hears
  }

  /** Null: it is not running. */
  get pid(): number | null {
    return this.#child?.pid ?? null
  }

  /** The end of its error output, for its operator. */
  get stderr(): string {
    return this.#stderr
  }

  async start(): Promise<void> {
    const { command, args, env, folder } = this.#parameters
    const child = spawn(command, [...args], {
      // Next's types require a variable that no program needs.
      env: { ...env } as NodeJS.ProcessEnv,
      stdio: 'pipe',
      detached: process.platform !== 'win32',
      windowsHide: true,
      ...(folder !== null && { cwd: folder }),
    })
    this.#child = child
    child.stdout.on('data', (chunk: Buffer) => this.#read(chunk))
    child.stderr.on('data', (chunk: Buffer) => {
      this.#stderr = (this.#stderr + chunk.toString('utf8')).slice(-STDERR_CHARS)
    })
    // An ended process accepts no input; its end is handled below.
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream.on('error', () => {})
    this.#gone = new Promise((resolve) => {
      child.once('close', () => {
        this.#child = null
        // Child processes that it left behind.
        if (child.pid !== undefined) endGroup(child.pid, 'SIGKILL')
        resolve()
        this.onclose?.()
      })
    })
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve)
      child.once('error', reject)
    })
    if (child.pid !== undefined) keepGroup(child.pid)
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin
    if (!input?.writable) throw new Error('the process is gone')
    if (input.write(serializeMessage(message))) return
    await Promise.race([new Promise((resolve) => input.once('drain', resolve)), this.#gone])
  }

  /** Closes its input, and ends what does not exit then. Resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#child
    if (!child?.pid) return
    child.stdin?.end()
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (await this.#isGoneIn(LEAVE_MS)) return
      endGroup(child.pid, signal)
    }
    // A helper that left the process group can hold the pipes open.
    if (await this.#isGoneIn(LEAVE_MS)) return
    for (const stream of child.stdio) stream?.destroy()
    await this.#gone
  }

  async #isGoneIn(ms: number): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined
    const late = new Promise<false>((resolve) => {
      timer = setTimeout(() => resolve(false), ms)
    })
    const isGone = await Promise.race([this.#gone.then(() => true), late])
    clearTimeout(timer)
    return isGone
  }

  #read(chunk: Buffer): void {
    try {
      this.#buffer.append(chunk)
    } catch {
      this.#hears.onTooLarge()
      if (this.#child?.pid) endGroup(this.#child.pid, 'SIGKILL')
      return
    }
    for (;;) {
      try {
        const message = this.#buffer.readMessage()
        if (message === null) return
        if ('id' in message && message.id !== undefined && 'result' in message) {
          this.#hears.onResult(message.id, message.result)
        }
        this.onmessage?.(message)
      } catch (error) {
        // A line that is no message: programs print to their output by mistake.
        this.onerror?.(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
}

function keepGroup(pid: number): void {
  groups.add(pid)
  if (isArmed) return
  isArmed = true
  process.once('exit', () => {
    for (const one of groups) endGroup(one, 'SIGKILL')
  })
}

/** Ends a process with all of its child processes. */
function endGroup(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (signal === 'SIGKILL') groups.delete(pid)
  try {
    process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    // All of it has already ended.
  }
}
