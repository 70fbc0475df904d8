const space = /[ \t\r\n]*/y
const string = /"(?:[^"\\]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

type Expected = 'value' | 'first value' | 'key' | 'first key' | 'colon' | 'comma' | 'nothing'

/**
 * The offset of the first character that makes the text invalid JSON; the text's length if it only ends too early; null
 * if it is valid. Engines no longer give the offset in their errors.
 */
export function jsonErrorAt(text: string): number | null {
  const open: ('{' | '[')[] = []
  let expected: Expected = 'value'
  let at = 0
  const take = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    const found = pattern.exec(text)
    if (found) at = pattern.lastIndex
    return found !== null
  }
  /** Control characters must be written as escapes. */
  const takeString = (): boolean => {
    const start = at
    if (!take(string)) return false
    const raw = text.slice(start, at)
    const control = raw.split('').findIndex((one) => one < ' ')
    if (control < 0) return true
    at = start + control
    return false
  }
  const after = (): Expected => (open.length === 0 ? 'nothing' : 'comma')

  for (;;) {
    take(space)
    if (at >= text.length) return expected === 'nothing' ? null : text.length
    const char = text.charAt(at)
    const inside = open.at(-1)
    const closes = (char === '}' && inside === '{') || (char === ']' && inside === '[')
    switch (expected) {
      case 'nothing':
        return at
      case 'comma':
      case 'first key':
      case 'first value':
        if (closes) {
          open.pop()
          at += 1
          expected = after()
          continue
        }
        if (expected === 'comma') {
          if (char !== ',') return at
          at += 1
          expected = inside === '{' ? 'key' : 'value'
          continue
        }
        break
      case 'colon':
        if (char !== ':') return at
        at += 1
        expected = 'value'
        continue
      case 'key':
      case 'value':
        break
    }
    if (expected === 'key' || expected === 'first key') {
      if (!takeString()) return at
      expected = 'colon'
    } else if (char === '{' || char === '[') {
      open.push(char)
      at += 1
      expected = char === '{' ? 'first key' : 'first value'
    } else {
      if (!takeString() && !take(scalar)) return at
      expected = after()
    }
  }
}
