import { expect, it } from 'vitest'
import { pythonEval, withPythonPackages } from './python-eval'
import { toolRegistry } from './built-in-registry'

const specs = toolRegistry.of([]).specs()
const python = (of: typeof specs) => of.find(({ name }) => name === pythonEval.spec.name)?.description

it('tells models which packages Python has: those that Nod ships, and those that the operator added', () => {
  expect(python(specs)).toContain('Standard library, defusedxml, openpyxl, pypdf; no network')
  const more = withPythonPackages(specs, ['numpy', 'pandas', 'pypdf'])
  expect(python(more)).toContain('Standard library, numpy, pandas, pypdf, defusedxml, openpyxl; no network')
  expect(more.filter(({ name }) => name !== pythonEval.spec.name)).toEqual(
    specs.filter(({ name }) => name !== pythonEval.spec.name),
  )
})

it('returns the same tools for the same packages, and the plain ones without any', () => {
  expect(withPythonPackages(specs, [])).toBe(specs)
  expect(withPythonPackages(specs, ['numpy'])).toBe(withPythonPackages(specs, ['numpy']))
  expect(python(withPythonPackages(specs, ['scipy']))).not.toContain('numpy')
})

it('names no more packages than fit a line or two', () => {
  const many = Array.from({ length: 500 }, (_, n) => `package-${n}`)
  expect(python(withPythonPackages(specs, many))?.length).toBeLessThan(1_000)
})
