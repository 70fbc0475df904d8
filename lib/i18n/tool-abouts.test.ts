import { expect, it } from 'vitest'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { parameterAbout, toolAbout } from '@/lib/i18n/labels'

/** An example alone is in no language. */
const isExample = (text: string): boolean => text.startsWith('as {')

const described = builtInTools.flatMap(({ spec: { name, parameters } }) =>
  Object.entries((parameters['properties'] ?? {}) as Record<string, { readonly description?: string }>).flatMap(
    ([parameter, { description }]) =>
      description === undefined || isExample(description) ? [] : [{ name, parameter, description }],
  ),
)

it.each(builtInTools.map(({ spec }) => spec))(
  '$name says of itself to people how its description for models begins',
  ({ name, description }) => {
    const said = toolAbout(name) ?? ''
    expect(said).toMatch(/\.$/)
    expect(description.startsWith(said.slice(0, -1))).toBe(true)
  },
)

it.each(described)('$name says of $parameter what models are told', ({ name, parameter, description }) => {
  expect(parameterAbout(name, parameter)).toBe(description)
})
