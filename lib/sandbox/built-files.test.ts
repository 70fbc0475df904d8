import { expect, test } from 'vitest'
import { frameHeaders, inlineScriptHashes, pageFrameHeaders } from '@/lib/server/http/response-headers'
import { buildSandboxFiles } from '@/scripts/build-sandbox.mjs'

// The frames are built at each build: the same sources give the same bytes, and so the same policy, on every machine.

const built: Readonly<Record<string, string>> = await buildSandboxFiles()

test('building twice gives the same bytes', async () => {
  expect(await buildSandboxFiles()).toEqual(built)
})

test('each frame has one inline script, whose hash is in the frame’s policy', () => {
  for (const name of ['public/sandbox.html', 'public/show.html', 'public/diagram.html']) {
    const html = built[name] ?? ''
    expect(html.replace(/<script>[\s\S]*<\/script>/, '')).not.toMatch(/\bon\w+=|src=|href=/i)
    const hashes = inlineScriptHashes(html)
    expect(hashes).toEqual([expect.stringMatching(/^'sha256-[A-Za-z0-9+/]{43}='$/)])
    const policy = frameHeaders(html, { runsCode: name === 'public/sandbox.html' })[0]?.value
    expect(policy).toMatch(new RegExp(`; script-src ${hashes[0]?.replaceAll(/[+/]/g, '\\$&')}[ ;]`))
  }
})

test('the frame for pages has one inline script, and its policy allows no network access', () => {
  const html = built['public/run.html'] ?? ''
  expect(inlineScriptHashes(html)).toHaveLength(1)
  expect(html.replace(/<script>[\s\S]*<\/script>/, '')).not.toMatch(/\bon\w+=|src=|href=/i)
  const policy = pageFrameHeaders.find(({ key }) => key === 'Content-Security-Policy')?.value ?? ''
  // Each source is inline or data: no address, not even ours.
  expect(policy).not.toMatch(/'self'(?!$)|https?:|\*/)
  for (const closed of ['default-src', 'connect-src', 'base-uri', 'form-action']) {
    expect(policy).toContain(`${closed} 'none'`)
  }
  // Workers are created from text in the page, under this policy too.
  expect(policy).toContain('worker-src blob:;')
  expect(policy).toMatch(/^sandbox allow-scripts allow-forms;/)
})
