import { EventEmitter, StringDecoder } from './zenfs'

/*
 * `readline` for a stream of text, by `on('line')` and by `for await`. Questions are not possible: there is no
 * terminal.
 */

interface Input {
  on(name: string, listener: (value: unknown) => void): unknown
  pause?(): unknown
  resume?(): unknown
}

class Interface extends EventEmitter {
  terminal = false
  readonly #input: Input
  readonly #lines: string[] = []
  readonly #decoder = new StringDecoder('utf8')
  #rest = ''
  #isOver = false
  #isRead = false
  #error: unknown = null
  #wake = () => {}

  constructor(input: Input) {
    super()
    this.#input = input
    input.on('data', (data) => this.#take(typeof data === 'string' ? data : this.#decoder.write(data as never)))
    input.on('end', () => this.#end())
    input.on('close', () => this.#end())
    input.on('error', (error) => {
      this.#error = error
      this.#wake()
    })
  }

  #take(text: string): void {
    if (this.#isOver) return
    const lines = (this.#rest + text).split(/\r\n|\n|\r(?!$)/)
    this.#rest = lines.pop() ?? ''
    for (const line of lines) this.#say(line)
  }

  #say(line: string): void {
    this.#lines.push(line)
    if (!this.#isRead) this.emit('line', line)
    if (this.listenerCount('line') > 0 && !this.#isRead) this.#lines.pop()
    this.#wake()
  }

  #end(): void {
    if (this.#isOver) return
    const rest = this.#rest.replace(/\r$/, '')
    this.#rest = ''
    if (rest !== '') this.#say(rest)
    this.#isOver = true
    this.emit('close')
    this.#wake()
  }

  close(): void {
    this.#rest = ''
    this.#end()
  }

  pause(): this {
    this.#input.pause?.()
    return this
  }

  resume(): this {
    this.#input.resume?.()
    return this
  }

  setPrompt(): void {}
  prompt(): void {}
  write(): void {}

  question(): never {
    throw new Error('Nobody can be asked here: the code runs without a terminal. Put the values into the code.')
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<string, void, undefined> {
    this.#isRead = true
    for (;;) {
      const line = this.#lines.shift()
      if (line !== undefined) yield line
      else if (this.#error !== null) throw this.#error
      else if (this.#isOver) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

function createInterface(given: Input | { readonly input: Input }): Interface {
  return new Interface('input' in given ? given.input : given)
}

const nothing = () => true
export const readline = {
  createInterface,
  Interface,
  clearLine: nothing,
  cursorTo: nothing,
  moveCursor: nothing,
  emitKeypressEvents: nothing,
}
