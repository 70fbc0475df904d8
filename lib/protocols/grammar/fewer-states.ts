import type { Prose, ProseState, ProseStep } from './grammar'

/** The same automaton with equivalent states merged: states count as equivalent until a step proves otherwise. */
export function withFewerStates({ start, states, words }: Prose): Prose {
  const bodies = numbers()
  const signs = numbers()
  const classes = new Map<unknown, number>()
  /** A step's characters and body as one number. The same class is mostly the same object. */
  const signOf = ({ on, body }: ProseStep): number => {
    const plain = classes.get(on) ?? signs(`${on.not ? '^' : ''}${on.ranges.join(' ')}`)
    classes.set(on, plain)
    return body ? signs(`${plain} with ${bodies(body)}`) : plain
  }
  const sorted = states.map(({ steps }) => {
    const all = steps.map((step) => ({ to: step.to, sign: signOf(step) }))
    return all.length > 1 ? all.toSorted((one, other) => one.sign - other.sign) : all
  })
  const numberOf = numbers()
  const pairs = pairNumbers()
  // At first, states are equivalent if they end alike and have the same steps. States that lead to different classes
  // are then separated.
  const first = sorted.map((steps, i) =>
    numberOf(steps.reduce((key, { sign }) => pairs(key, sign), states[i]?.ends ? 1 : 0)),
  )
  return joined({ start, states, words }, separateStates(first, sorted))
}

type Steps = readonly { readonly sign: number; readonly to: number }[]

/**
 * The class of each state, once no two states of a class lead to different classes. Only classes that a split may have
 * affected are checked again.
 */
function separateStates(first: readonly number[], steps: readonly Steps[]): readonly number[] {
  const classes = [...first]
  const members = new Map<number, number[]>()
  const from: number[][] = steps.map(() => [])
  for (const [state, one] of classes.entries()) {
    const all = members.get(one)
    if (all) all.push(state)
    else members.set(one, [state])
  }
  for (const [state, all] of steps.entries()) for (const { to } of all) from[to]?.push(state)
  let count = members.size
  let touched = new Set(members.keys())
  while (touched.size > 0) {
    const next = new Set<number>()
    const moved: number[] = []
    for (const one of touched) {
      const all = members.get(one) ?? []
      if (all.length < 2) continue
      const pairs = pairNumbers()
      const groups = Map.groupBy(all, (state) =>
        (steps[state] ?? []).reduce((key, { to }) => pairs(key, classes[to] ?? 0), 0),
      )
      if (groups.size < 2) continue
      for (const [at, group] of [...groups.values()].entries()) {
        if (at === 0) {
          members.set(one, group)
          continue
        }
        members.set(count, group)
        for (const state of group) classes[state] = count
        moved.push(...group)
        count += 1
      }
    }
    for (const state of moved) for (const before of from[state] ?? []) next.add(classes[before] ?? 0)
    touched = next
  }
  return classes
}

/** A number for each pair of numbers, from 1 on: chains of pairs represent lists. */
function pairNumbers(): (one: number, other: number) => number {
  const known = new Map<number, number>()
  return (one, other) => {
    // Far fewer than 2^21 states and signs: the product is exact.
    const key = one * 2_097_152 + other
    const number = known.get(key) ?? known.size + 1
    known.set(key, number)
    return number
  }
}

/** Numbers things in the order of their first use. */
function numbers(): (one: unknown) => number {
  const known = new Map<unknown, number>()
  return (one) => {
    const number = known.get(one) ?? known.size
    known.set(one, number)
    return number
  }
}

function joined({ start, states, words }: Prose, classes: readonly number[]): Prose {
  const order = [...new Set([classes[start] ?? 0, ...classes])]
  const place = new Map(order.map((one, i) => [one, i]))
  const numberOf = (state: number): number => place.get(classes[state] ?? 0) ?? 0
  const kept = order.flatMap((one): ProseState[] => {
    const state = states[classes.indexOf(one)]
    return state ? [{ ...state, steps: state.steps.map((step) => ({ ...step, to: numberOf(step.to) })) }] : []
  })
  return { start: numberOf(start), states: kept, words }
}
