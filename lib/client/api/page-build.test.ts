import { expect, it, vi } from 'vitest'
import { createPageBuild } from './page-build'

it('is outdated once a response names another build, and stays so', () => {
  const build = createPageBuild('one')
  const told = vi.fn<() => void>()
  build.subscribe(told)
  build.heard('one')
  build.heard(null)
  build.heard('')
  expect(build.isOld()).toBe(false)
  build.heard('two')
  build.heard('one')
  build.heard('two')
  expect(build.isOld()).toBe(true)
  expect(told).toHaveBeenCalledTimes(1)
})

it('is never outdated where builds have no names, as in development', () => {
  const build = createPageBuild('')
  build.heard('two')
  expect(build.isOld()).toBe(false)
})
