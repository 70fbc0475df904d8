import { describeFrames, locateInCode, type CodeLocation, type FrameContext } from './code-location'
import { formatValue } from './format-value'

export interface ThrownContext extends FrameContext {
  /** Where a SyntaxError points, when the engine says so. */
  readonly syntaxPlace?: CodeLocation | null
  /** Lines of the code: an error behind them stands in the wrapper, and means that something is not closed. */
  readonly lines?: number
}

const maxLength = 8_000

function describeError(error: Error, context: ThrownContext): string {
  const name = typeof error.name === 'string' ? error.name : 'Error'
  const message = typeof error.message === 'string' ? error.message : ''
  const lines = [message === '' ? name : `${name}: ${message}`]
  const { offset, shift, syntaxPlace, lines: last = Infinity } = context
  if (syntaxPlace != null) {
    const { line, column } = locateInCode(syntaxPlace, offset, shift)
    if (line > last) lines.push(`  at the end, line ${last}: something before it is not closed`)
    else if (line > 0) lines.push(`  at line ${line}${context.linesOnly === true ? '' : `, column ${column}`}`)
  } else if (typeof error.stack === 'string') {
    lines.push(...describeFrames(error.stack, context))
  }
  if (error.cause instanceof Error)
    lines.push(`Caused by ${describeError(error.cause, { ...context, syntaxPlace: null })}`)
  return lines.join('\n')
}

/** What was thrown, with the place in the user's code. Never throws, whatever was thrown. */
export function describeThrown(thrown: unknown, context: ThrownContext): string {
  try {
    const text = thrown instanceof Error ? describeError(thrown, context) : `Thrown: ${formatValue(thrown)}`
    return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
  } catch {
    return 'Something was thrown that can’t be described.'
  }
}
