import type { PreviewSegment } from '../types/tool-context-def'
import { CALL, TEXT } from './read'

const SPACE = /\s/
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

interface Item {
  readonly start: number
  end: number
  action: string | null
  name: string | null
  /** The text of this segment so far. */
  said: string
}

/**
 * Reads a streamed reply of one JSON value, each character once: its text so far, and the call that is being written.
 * It gives up if the reply is not a list of actions; then the reply is read like any other.
 */
export class EnvelopeView {
  private readonly items: Item[] = []
  private pos = 0
  private depth = 0
  /** Depth of an action's members: 1 for a single action, 2 in a list. */
  private level = 0
  private lost = false
  private inString = false
  /** The characters of an escape that is incomplete. */
  private escape = ''
  private string = ''
  private key: string | null = null

  /** What may be shown after this piece; null if it is not such a reply. */
  take(piece: string): readonly PreviewSegment[] | null {
    for (const char of piece.split('')) {
      if (this.lost) return null
      if (this.inString) this.inText(char)
      else this.structure(char)
      this.pos++
      const last = this.items.at(-1)
      if (last) last.end = this.pos
    }
    return this.lost ? null : this.shown()
  }

  private shown(): readonly PreviewSegment[] {
    return this.items.flatMap(({ start, end, action, name, said }): PreviewSegment[] => {
      if (action === TEXT) return said === '' ? [] : [{ kind: 'text', start, end, said }]
      return action === CALL ? [{ kind: 'writing', start, end, name }] : []
    })
  }

  private structure(char: string): void {
    if (SPACE.test(char) || char === ',' || char === ':') return
    if (char === '"') {
      this.inString = true
      this.string = ''
      return
    }
    if (char === '{' || char === '[') this.open(char)
    else if (char === '}' || char === ']') this.depth--
    else if (this.level === 0) this.lost = true
    if (this.depth === this.level) this.key = null
  }

  private open(char: string): void {
    if (this.level === 0) this.level = char === '{' ? 1 : 2
    this.depth++
    if (char !== '{' || this.depth !== this.level) return
    this.items.push({
      start: this.items.length === 0 ? 0 : this.pos,
      end: this.pos,
      action: null,
      name: null,
      said: '',
    })
    this.key = null
  }

  private inText(char: string): void {
    if (this.escape !== '') {
      this.escape += char
      const whole = this.escape.charAt(1) === 'u' ? this.escape.length === 6 : true
      if (whole) {
        this.add(unescaped(this.escape))
        this.escape = ''
      }
    } else if (char === '\\') this.escape = char
    else if (char === '"') this.endText()
    else this.add(char)
  }

  private add(text: string): void {
    const last = this.items.at(-1)
    if (this.isMember('text') && last?.action === TEXT) last.said += text
    else if (this.string.length < 200) this.string += text
  }

  private endText(): void {
    this.inString = false
    if (this.depth !== this.level) return
    const last = this.items.at(-1)
    if (this.key === null) {
      this.key = this.string
      // The action comes first; an object that does not begin with it is not of this form.
      if (last?.action === null && this.key !== 'action') this.lost = true
      return
    }
    if (last && this.key === 'action') {
      last.action = this.string
      if (this.string !== TEXT && this.string !== CALL) this.lost = true
    }
    if (last && this.key === 'name') last.name = this.string
    this.key = null
  }

  private isMember(key: string): boolean {
    return this.depth === this.level && this.key === key
  }
}

function unescaped(escape: string): string {
  const sign = escape.charAt(1)
  if (sign !== 'u') return ESCAPES[sign] ?? sign
  const code = Number.parseInt(escape.slice(2), 16)
  return Number.isNaN(code) ? escape : String.fromCharCode(code)
}
