import { expect, test } from 'vitest'
import { EarlierFilesError } from './database'
import { describeStorageFailure } from './indexeddb-vfs'

const fail = (name: string) => new DOMException('why', name)

test.each<[unknown, string, RegExp]>([
  [fail('QuotaExceededError'), 'ENOSPC', /no space left.*Delete files/],
  [fail('SecurityError'), 'EIO', /refused to store.*\(why\).*Allow site data/],
  [new EarlierFilesError(), 'EIO', /earlier version.*still in this browser/],
  [new Error('odd'), 'EIO', /could not be reached \(odd\).*Reload/],
  [undefined, 'EIO', /could not be reached\. Reload/],
])('%# becomes a message that says what to do', (thrown, code, words) => {
  const failure = describeStorageFailure(thrown, '/a')
  expect(failure).toMatchObject({ ok: false, error: { code, path: '/a' } })
  expect(failure.error.message).toMatch(words)
})
