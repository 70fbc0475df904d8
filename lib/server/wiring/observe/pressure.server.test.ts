import { expect, it } from 'vitest'
import { createPressure } from './process-health.server'

const busy = { lateMs: 350, cores: 0.97 }

it('a process is under pressure from the second check on with late turns and a core to itself', () => {
  const { look, isPressed } = createPressure()
  look(busy)
  expect(isPressed()).toBe(false)
  look(busy)
  expect(isPressed()).toBe(true)
  look({ lateMs: 20, cores: 0.97 })
  expect(isPressed()).toBe(false)
})

it('a process is not under pressure if other processes make its turns late', () => {
  const { look, isPressed } = createPressure()
  for (let n = 0; n < 20; n += 1) look({ lateMs: 2_000, cores: 0.42 })
  expect(isPressed()).toBe(false)
})

it('a process is not under pressure with a full core and short turns', () => {
  const { look, isPressed } = createPressure()
  for (let n = 0; n < 20; n += 1) look({ lateMs: 15, cores: 1.1 })
  expect(isPressed()).toBe(false)
})
