import type { CompiledCode } from './compile-code'

/** The name under which the engine knows the user's code in stacks. */
export const codeName = 'nod-code.js'

export interface CodePlace {
  readonly line: number
  readonly column: number
}

/** Lines that the engine's own wrapper stands above the code: read from a probe's stack rather than assumed. */
export const wrapperLines = (probeStack: string): number => {
  const place = framesOf(probeStack)[0]
  return place === undefined ? 0 : place.line - 1
}

/** Frames of a stack that lie in the user's code, as the engine counts lines. */
function framesOf(stack: string): readonly (CodePlace & { readonly name: string })[] {
  return stack.split('\n').flatMap((frame) => {
    const at = /nod-code\.js:(\d+):(\d+)/.exec(frame)
    if (at === null) return []
    const name = /^\s*at (?:async )?(?:new )?([^\s(]+) \(/.exec(frame)?.[1] ?? ''
    return [{ line: Number(at[1]), column: Number(at[2]), name }]
  })
}

/** The place in the code as the user wrote it. */
export function placeInCode(place: CodePlace, offset: number, shift: CompiledCode['shift']): CodePlace {
  const line = place.line - offset
  const isShifted = shift !== null && line === shift.line && place.column >= shift.column + shift.by
  return { line, column: isShifted ? place.column - shift.by : place.column }
}

const wrapperNames = new Set(['anonymous', 'eval', 'Object.anonymous'])

/** Lines like `  at inner (line 3, column 7)` for the user's own frames of a stack, outermost last. */
export function describeFrames(stack: string, offset: number, shift: CompiledCode['shift'], most = 6): string[] {
  return framesOf(stack)
    .map((frame) => ({ name: frame.name, ...placeInCode(frame, offset, shift) }))
    .filter(({ line }) => line > 0)
    .slice(0, most)
    .map(({ name, line, column }) =>
      name === '' || wrapperNames.has(name)
        ? `  at line ${line}, column ${column}`
        : `  at ${name} (line ${line}, column ${column})`,
    )
}
