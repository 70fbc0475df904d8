import { expect, it } from 'vitest'
import { builtInTools } from '@/lib/shared/tools/built-in-registry'
import { parameterAbout, toolAbout, toolLabel } from '@/lib/i18n/labels'

/** Text that is only an example needs no translation. */
const isExample = (text: string): boolean => text.startsWith('as {')

const described = builtInTools.flatMap(({ spec: { name, parameters } }) =>
  Object.entries((parameters['properties'] ?? {}) as Record<string, { readonly description?: string }>).flatMap(
    ([parameter, { description }]) =>
      description === undefined || isExample(description) ? [] : [{ name, parameter, description }],
  ),
)

it.each(builtInTools.map(({ spec }) => spec))(
  '$name: its description for users matches the beginning of the one for models',
  ({ name, description }) => {
    const said = toolAbout(name) ?? ''
    expect(said).toMatch(/\.$/)
    expect(description.startsWith(said.slice(0, -1))).toBe(true)
  },
)

it.each(builtInTools.map(({ spec }) => spec))(
  '$name has a name for people: `name.$name` in its words.json',
  ({ name }) => {
    expect(toolLabel(name)).toMatch(/^[A-Z]/)
  },
)

it.each(described)(
  '$name: its description of $parameter for users matches the one for models',
  ({ name, parameter, description }) => {
    expect(parameterAbout(name, parameter)).toBe(description)
  },
)
