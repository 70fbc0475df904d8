import { afterEach, expect, it, vi } from 'vitest'
import { getServer, setServer, warmUp } from './server'
import { forgetSettings } from './settings.server'

afterEach(() => {
  vi.unstubAllEnvs()
  vi.restoreAllMocks()
  forgetSettings()
  setServer(null)
})

it('does not start with invalid settings, reports all errors, and reveals no secret', async () => {
  vi.stubEnv('NOD_MAX_RUNS', 'many')
  vi.stubEnv('NOD_ACCESS_TOKEN', 'hunter2')
  forgetSettings()
  vi.mocked(console.error).mockRestore()
  const told = vi.spyOn(console, 'error').mockImplementation(() => {})
  vi.spyOn(console, 'warn').mockImplementation(() => {})
  const exit = vi.spyOn(process, 'exit').mockImplementation((code) => {
    throw new Error(`exit ${code}`)
  })
  await expect(warmUp()).rejects.toThrow('exit 2')
  expect(exit).toHaveBeenCalledOnce()
  const words = told.mock.calls.flat().join('\n')
  // These calls were expected and must not fail other checks.
  told.mockClear()
  expect(words).toContain('NOD_MAX_RUNS is “many”')
  expect(words).toContain('NOD_ACCESS_TOKEN is too short')
  expect(words).not.toContain('hunter2')
  // Nothing was opened meanwhile.
  await expect(getServer()).rejects.toThrow(/NOD_MAX_RUNS/)
})
