import { describe, expect, it } from 'vitest'
import { isJsonObject, type JsonObject, type JsonValue } from '@/lib/base/json'
import { toolContextBuilder } from '@/lib/protocols/tool-context-builder'
import { probeKinds, type ExpectedCall, type Probe } from '../probe'
import { judgeRound, findMismatch } from '../verdict/judge'
import { ownProbes } from './own-probes'

const kindsOfOurs = probeKinds.filter((kind) => kind !== 'imported')
const expectedOf = ({ rounds }: Probe): readonly ExpectedCall[] =>
  rounds.flatMap((round) => (round.expect === 'calls' ? round.calls : []))

/** Every choice of one allowed value for one argument, while the others have their first allowed value. */
function fillings({ arguments: args }: ExpectedCall): readonly JsonObject[] {
  const without = (name: string) => Object.entries(args).filter(([other]) => other !== name)
  const firsts = (entries: readonly (readonly [string, readonly JsonValue[]])[]) =>
    entries.flatMap(([name, values]) => {
      const value = values.find((one) => one !== '')
      return value === undefined ? [] : [[name, value] as const]
    })
  const all = Object.entries(args).flatMap(([name, values]) =>
    values.map((value) =>
      Object.fromEntries(value === '' ? firsts(without(name)) : [...firsts(without(name)), [name, value] as const]),
    ),
  )
  return all.length > 0 ? all : [{}]
}

describe('our own probes', () => {
  it('are about eighty, about equally many of each kind', () => {
    expect(ownProbes.length).toBeGreaterThanOrEqual(80)
    for (const kind of kindsOfOurs) {
      const count = ownProbes.filter((probe) => probe.kind === kind).length
      expect(count).toBeGreaterThanOrEqual(6)
      expect(count).toBeLessThanOrEqual(12)
    }
  })

  it('have unique ids that begin with their kind, and unique questions', () => {
    const ids = ownProbes.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    for (const { id, kind } of ownProbes) expect(id).toMatch(new RegExp(`^${kind}-`))
    const questions = ownProbes.map(({ question }) => JSON.stringify(question))
    expect(new Set(questions).size).toBe(questions.length)
  })

  it('offer tools with valid schemas: an object, known types, required names that exist', () => {
    const types = new Set(['string', 'integer', 'number', 'boolean', 'array', 'object'])
    const check = (schema: JsonValue | undefined, where: string): void => {
      if (!isJsonObject(schema)) throw new Error(`${where} is no schema`)
      expect([...types]).toContain(schema['type'])
      const properties = schema['properties']
      if (schema['type'] === 'object') {
        expect(isJsonObject(properties)).toBe(true)
        for (const name of schema['required'] as string[]) expect(Object.keys(properties as JsonObject)).toContain(name)
      }
      if (schema['type'] === 'array') check(schema['items'], `${where}[]`)
      for (const [name, inner] of Object.entries(isJsonObject(properties) ? properties : {}))
        check(inner, `${where}.${name}`)
    }
    for (const { id, functions } of ownProbes) {
      expect(new Set(functions.map(({ name }) => name)).size).toBe(functions.length)
      for (const { name, description, parameters } of functions) {
        expect(name).toMatch(/^[a-z][a-z_]{1,40}$/)
        expect(description.length).toBeGreaterThan(5)
        check(parameters, `${id}: ${name}`)
      }
    }
  })

  it('expect calls that fit their tools, in every value that they allow', () => {
    let checked = 0
    for (const probe of ownProbes) {
      for (const expected of expectedOf(probe)) {
        const tool = probe.functions.find(({ name }) => name === expected.name)
        if (!tool) throw new Error(`${probe.id} expects ${expected.name} and does not offer it`)
        for (const args of fillings(expected)) {
          const read = toolContextBuilder.readCall({ name: expected.name, arguments: args }, probe.functions)
          expect({ id: probe.id, args, problem: read.problem }).toMatchObject({ problem: null })
          expect(findMismatch(args, expected, tool.parameters)).toBeNull()
          checked += 1
        }
        for (const name of expected.exact ?? []) expect(Object.keys(expected.arguments)).toContain(name)
      }
    }
    expect(checked).toBeGreaterThan(150)
  })

  it('have a result for each call of a round that continues', () => {
    for (const { rounds } of ownProbes) {
      expect(rounds.length).toBeGreaterThan(0)
      for (const [at, round] of rounds.entries()) {
        const continues = at < rounds.length - 1
        expect(continues ? round.expect : 'calls').toBe('calls')
        if (round.expect === 'calls') expect(round.results?.length).toBe(continues ? round.calls.length : undefined)
      }
    }
  })

  it('offer twenty others to test distraction, and six if one of six is right', () => {
    const offered = (wanted: Probe['kind']) =>
      ownProbes.filter(({ kind }) => kind === wanted).map(({ functions }) => functions.length)
    expect(new Set(offered('distractors'))).toEqual(new Set([21]))
    expect(new Set(offered('one-of-six'))).toEqual(new Set([6]))
  })

  it('are judged right under every strategy if a reply contains what they expect', () => {
    const strategies = toolContextBuilder.strategies.filter(({ callsBy }) => callsBy === 'model')
    expect(strategies.length).toBeGreaterThan(3)
    for (const strategy of strategies) {
      for (const probe of ownProbes) {
        for (const round of probe.rounds) {
          if (round.expect === 'words') continue
          const calls = round.calls.map((one) => ({ name: one.name, arguments: fillings(one)[0] ?? {} }))
          const text = `I will do that.\n\n${strategy.formatCalls(calls)}`
          const judged = judgeRound(probe, round, strategy.id, { text, outcome: 'finished' })
          expect({ strategy: strategy.id, probe: probe.id, ...judged }).toMatchObject({ verdict: 'right' })
        }
      }
    }
  })
})
