import { formatValue } from './format-value'
import type { CompiledCode } from './compile-code'

/** The name under which the engine knows the user's code in stacks; files that it imports are `nod-file:///path`. */
export const codeName = 'nod-code.js'

export interface CodeLocation {
  readonly line: number
  readonly column: number
}

/** Lines that the engine's own wrapper stands above the code: read from a probe's stack rather than assumed. */
export const wrapperLines = (probeStack: string): number => {
  const place = framesOf(probeStack)[0]
  return place === undefined ? 0 : place.line - 1
}

interface Frame extends CodeLocation {
  readonly name: string
  /** Of an imported file; null: the code itself. */
  readonly path: string | null
}

/** Frames of a stack that lie in the user's code or files, as the engine counts lines. */
function framesOf(stack: string): readonly Frame[] {
  return stack.split('\n').flatMap((frame) => {
    const at = /(?:nod-code\.js|nod-file:\/\/(\/[^\s:]*)):(\d+):(\d+)/.exec(frame)
    if (at === null) return []
    const name = /^\s*at (?:async )?(?:new )?([^\s(]+) \(/.exec(frame)?.[1] ?? ''
    return [{ line: Number(at[2]), column: Number(at[3]), name, path: at[1] === undefined ? null : decodeURI(at[1]) }]
  })
}

/** The place in the code as the user wrote it. */
export function locateInCode(place: CodeLocation, offset: number, shift: CompiledCode['shift']): CodeLocation {
  const line = place.line - offset
  const isShifted = shift !== null && line === shift.line && place.column >= shift.column + shift.by
  return { line, column: isShifted ? place.column - shift.by : place.column }
}

const wrapperNames = new Set(['anonymous', 'eval', 'Object.anonymous', 'Object.eval'])

export interface FrameContext {
  /** Lines of the engine's wrapper above the code. */
  readonly offset: number
  readonly shift: CompiledCode['shift']
  /** The code was rewritten for its imports or types: its lines are its own, its columns are not. */
  readonly linesOnly?: boolean
}

/** Lines like `  at inner (line 3, column 7)` for the user's own frames of a stack, outermost last. */
function describeFrames(stack: string, { offset, shift, linesOnly = false }: FrameContext, most = 6): string[] {
  return framesOf(stack)
    .map((frame) => ({ ...frame, ...locateInCode(frame, offset, shift) }))
    .filter(({ line }) => line > 0)
    .slice(0, most)
    .map(({ name, path, line, column }) => {
      const inLine =
        path !== null ? `${path} line ${line}` : linesOnly ? `line ${line}` : `line ${line}, column ${column}`
      return name === '' || wrapperNames.has(name) ? `  at ${inLine}` : `  at ${name} (${inLine})`
    })
}

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
