import type { gfm } from 'micromark-extension-gfm'
import { dollarsHold, createFenceFinder } from './math/formula-of'

/*
 * LaTeX stays as written until it is rendered: nothing in it is Markdown.
 *
 *   \(a_1 * b_1\)   $a_1$   $$a$$        inside a line
 *   \[                                   from the start of a line to the end of one,
 *   - a                                  over blank lines if it is a fence (`blocks.ts`)
 *   \]
 *
 * The tokens are those of raw HTML, which starts with `<`: a token that starts with a LaTeX mark is recognized when it
 * is rendered (`formulaOf`). `$` starts math by Pandoc's rule (no space after it; the closing one has no space before
 * it and no digit after it), unless it reads as money or a shell variable, so that "$5 and $10" stays money.
 */

type Extension = ReturnType<typeof gfm>
type Construct = Exclude<NonNullable<NonNullable<Extension['text']>[string]>, readonly unknown[]>
type Tokenize = Construct['tokenize']
type State = ReturnType<Tokenize>
type Code = Parameters<State>[0]

const dollar = 36
const backslash = 92
/** The mark after a backslash, and its closing mark. */
const closers: Readonly<Record<number, number>> = { 40: 41, 91: 93 }
/** The longest formula; a possible start must not be followed to the end of a long text. */
const maxInline = 1_000

const isEnd = (code: Code): boolean => code === null
const isEol = (code: Code): boolean => code !== null && code < -2
const isSpace = (code: Code): boolean => code === -2 || code === -1 || code === 32
const isDigit = (code: Code): boolean => code !== null && code >= 48 && code <= 57
/** Line endings and the rest of a tab are not letters. */
const letter = (code: Code): string => (code === null ? '' : code < 0 ? ' ' : String.fromCharCode(code))
const isWord = (code: Code): boolean =>
  isDigit(code) || (code !== null && ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)))

const inLine: Tokenize = function (effects, ok, nok) {
  let length = 0
  let closer = dollar
  let double = false
  let last: Code = null
  /** The text between single dollars. */
  let tex = ''

  return (code) => {
    effects.enter('htmlText')
    effects.enter('htmlTextData')
    effects.consume(code)
    return code === dollar ? secondDollar : behindBackslash
  }
  function behindBackslash(code: Code): State | undefined {
    // A closing mark without an opening one ends a formula over several paragraphs.
    if (code === 41 || code === 93) {
      effects.consume(code)
      return done
    }
    const closing = code === null ? undefined : closers[code]
    if (closing === undefined) return nok(code)
    closer = closing
    effects.consume(code)
    return inside
  }
  function secondDollar(code: Code): State | undefined {
    if (code === dollar) {
      double = true
      effects.consume(code)
      return (next) => (next === dollar ? nok(next) : inside(next))
    }
    return isEnd(code) || isEol(code) || isSpace(code) ? nok(code) : inside(code)
  }
  function inside(code: Code): State | undefined {
    if (isEnd(code) || (length += 1) > maxInline) return nok(code)
    if (isEol(code)) {
      // A price in one line and a price in the next are not a formula.
      if (closer === dollar && !double) return nok(code)
      effects.exit('htmlTextData')
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      last = code
      return lineBegin
    }
    const before = last
    last = code
    effects.consume(code)
    if (code === backslash) return escaped
    if (code === dollar && closer === dollar) {
      if (double) return secondClosing
      return isSpace(before) ? nok : behindClosing
    }
    tex += letter(code)
    return inside
  }
  function lineBegin(code: Code): State | undefined {
    effects.enter('htmlTextData')
    return inside(code)
  }
  function escaped(code: Code): State | undefined {
    if (isEnd(code) || isEol(code)) return inside(code)
    length += 1
    last = code
    tex += letter(code)
    effects.consume(code)
    return closer !== dollar && code === closer ? done : inside
  }
  function secondClosing(code: Code): State | undefined {
    if (code !== dollar) return inside(code)
    effects.consume(code)
    return (next) => (next === dollar ? nok(next) : done(next))
  }
  function behindClosing(code: Code): State | undefined {
    return dollarsHold(tex, letter(code)) ? done(code) : nok(code)
  }
  function done(code: Code): State | undefined {
    effects.exit('htmlTextData')
    effects.exit('htmlText')
    return ok(code)
  }
}

const inLines: Tokenize = function (effects, ok, nok) {
  const interrupts = () => this.interrupt === true
  let opener: Code = null
  /** It continues after its first line. */
  let opened = false
  let closed = false

  return (code) => {
    opener = code
    effects.enter('htmlFlow')
    effects.enter('htmlFlowData')
    effects.consume(code)
    return (next) => {
      if (next !== (opener === dollar ? dollar : 91)) return nok(next)
      effects.consume(next)
      return inside
    }
  }
  function inside(code: Code): State | undefined {
    if (isEnd(code)) return finish(code)
    if (isEol(code)) return closed ? finish(code) : lineEnd(code)
    // If text follows its end, it is a line of text that starts with a formula.
    if (closed && !isSpace(code) && !opened) return nok(code)
    // `\[words](address)` is an escaped link.
    if (code === 93 && opener === backslash && !opened) return nok(code)
    effects.consume(code)
    if (opener === dollar && code === dollar) return (next) => closeWith(next, dollar)
    if (opener === backslash && code === backslash) return (next) => closeWith(next, 93)
    return inside
  }
  function closeWith(code: Code, closer: number): State | undefined {
    if (code !== closer) return isEnd(code) || isEol(code) ? inside(code) : consumeOne(code)
    closed = true
    effects.consume(code)
    return inside
  }
  function consumeOne(code: Code): State | undefined {
    effects.consume(code)
    return inside
  }
  function lineEnd(code: Code): State | undefined {
    if (interrupts()) return finish(code)
    return effects.check(nextLine, goOn, finish)(code)
  }
  function goOn(code: Code): State | undefined {
    opened = true
    effects.exit('htmlFlowData')
    effects.enter('lineEnding')
    effects.consume(code)
    effects.exit('lineEnding')
    return lineBegin
  }
  function lineBegin(code: Code): State | undefined {
    effects.enter('htmlFlowData')
    return inside(code)
  }
  function finish(code: Code): State | undefined {
    effects.exit('htmlFlowData')
    effects.exit('htmlFlow')
    return ok(code)
  }
}

/** Continues on the next line if it is not blank and in the same containers. */
const nextLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const isLazy = () => this.parser.lazy[this.now().line] === true
    return (code) => {
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return (next) => (isLazy() ? nok(next) : spaces(next))
    }
    function spaces(code: Code): State | undefined {
      if (isEnd(code) || isEol(code)) return nok(code)
      if (!isSpace(code)) return ok(code)
      effects.enter('whitespace')
      return space(code)
    }
    function space(code: Code): State | undefined {
      if (!isSpace(code)) {
        effects.exit('whitespace')
        return isEnd(code) || isEol(code) ? nok(code) : ok(code)
      }
      effects.consume(code)
      return space
    }
  },
}

/** A fence from its start to its known end; it may contain blank lines. */
const inFence = (endOf: ReturnType<typeof createFenceFinder>): Tokenize =>
  function (effects, ok, nok) {
    const place = () => this.now().offset
    const interrupts = () => this.interrupt === true
    let end = 0

    return (code) => {
      const found = endOf(place())
      if (typeof found !== 'number') return nok(code)
      end = found
      effects.enter('htmlFlow')
      effects.enter('htmlFlowData')
      return inside(code)
    }
    function inside(code: Code): State | undefined {
      if (isEnd(code) || isEol(code)) {
        effects.exit('htmlFlowData')
        return between(code)
      }
      effects.consume(code)
      return inside
    }
    function between(code: Code): State | undefined {
      if (isEnd(code) || place() >= end || interrupts()) return finish(code)
      return effects.check(heldLine, goOn, finish)(code)
    }
    function goOn(code: Code): State | undefined {
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return lineBegin
    }
    function lineBegin(code: Code): State | undefined {
      if (isEnd(code) || isEol(code)) return between(code)
      effects.enter('htmlFlowData')
      return inside(code)
    }
    function finish(code: Code): State | undefined {
      effects.exit('htmlFlow')
      return ok(code)
    }
  }

/** Continues on the next line in the same containers, blank or not. */
const heldLine: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    const isLazy = () => this.parser.lazy[this.now().line] === true
    return (code) => {
      effects.enter('lineEnding')
      effects.consume(code)
      effects.exit('lineEnding')
      return (next) => (isLazy() ? nok(next) : ok(next))
    }
  },
}

const inText: Construct = {
  name: 'writtenMath',
  tokenize: inLine,
  // "US$5": after a letter or a digit it is money.
  previous: (code) => !isWord(code) && code !== dollar,
}
const inBackslash: Construct = { name: 'writtenMath', tokenize: inLine }
const inFlow: Construct = { name: 'writtenMathLines', tokenize: inLines, concrete: true }

/** Knows the whole text, so that the end of a fence is looked up instead of tried. */
export function writtenMath(text: string): Extension {
  const fence: Construct = { name: 'writtenMathFence', tokenize: inFence(createFenceFinder(text)), concrete: true }
  return {
    text: { [dollar]: inText, [backslash]: inBackslash },
    flow: { [dollar]: [fence, inFlow], [backslash]: [fence, inFlow] },
  }
}
