import { expect, it } from 'vitest'
import { starterPrompts, variablesOf } from '@/lib/shared/conversation/settings/starter-prompts'
import { languages } from '@/lib/base/text/languages'
import { createStartersOffered } from './starters-offered'

it('offers each starter prompt until it was used once, and none once they are hidden', () => {
  const saved = new Map<string, string>([['nod:starter-prompts', '{"used":["c",7]}']])
  const storage = {
    getItem: (key: string) => saved.get(key) ?? null,
    setItem: (k: string, v: string) => void saved.set(k, v),
  }
  const offered = () => createStartersOffered(storage)
  expect(['a', 'b', 'c'].filter(offered().isOffered)).toEqual(['a', 'b'])
  offered().use('a')
  offered().use('a')
  expect(['a', 'b', 'c'].filter(offered().isOffered)).toEqual(['b'])
  offered().hide()
  expect(['a', 'b', 'c'].filter(offered().isOffered)).toEqual([])
  saved.set('nod:starter-prompts', '[')
  expect(offered().isOffered('a')).toBe(true)
  expect(createStartersOffered(null).isOffered('a')).toBe(true)
})

it.each(languages)('has ten of them with names and variables in %s', (language) => {
  const prompts = starterPrompts(language)
  expect(prompts).toHaveLength(10)
  expect(new Set(prompts.map(({ name }) => name)).size).toBe(10)
  for (const { id, prompt } of prompts) {
    expect(id).toMatch(/^starter-[a-z-]+$/)
    expect(prompt.length).toBeGreaterThan(40)
    expect(variablesOf(prompt).length).toBeLessThanOrEqual(3)
  }
  expect(prompts.filter(({ prompt }) => variablesOf(prompt).length > 0).length).toBeGreaterThanOrEqual(9)
})
