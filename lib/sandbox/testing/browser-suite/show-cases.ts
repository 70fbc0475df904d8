// What the frame that shows displayed HTML must do and withstand. `page` has the `suite` of page.ts; HOST in the HTML
// becomes the attacker's address.
import assert from 'node:assert/strict'
import type { Page } from '@playwright/test'
import type { Markup } from './page'
import type { Attacker } from './servers'

interface ShowCase {
  readonly name: string
  readonly run: (given: { readonly page: Page; readonly attacker: Attacker }) => Promise<void>
}

const show = (page: Page, html: Markup) => page.evaluate((given) => globalThis.suite.show(given), html)

const vectors = [
  '<img src="http://HOST/img">',
  '<img srcset="http://HOST/srcset 2x">',
  '<picture><source srcset="http://HOST/source"><img></picture>',
  '<script>fetch("http://HOST/script")</script>',
  '<img src=x onerror="fetch(`http://HOST/onerror`)">',
  '<svg onload="fetch(`http://HOST/svg`)"><image href="http://HOST/svg-image"/><use href="http://HOST/use#x"/></svg>',
  '<iframe src="http://HOST/iframe"></iframe><iframe srcdoc="<img src=http://HOST/srcdoc>"></iframe>',
  '<object data="http://HOST/object"></object><embed src="http://HOST/embed">',
  '<video src="http://HOST/video" poster="http://HOST/poster" autoplay></video><audio src="http://HOST/audio" autoplay></audio>',
  '<link rel="stylesheet" href="http://HOST/css"><link rel="prefetch" href="http://HOST/prefetch"><link rel="dns-prefetch" href="http://HOST">',
  '<style>@import "http://HOST/import"; body { background: url(http://HOST/background) } @font-face { font-family: f; src: url(http://HOST/font) } * { font-family: f }</style>',
  '<div style="background: url(http://HOST/style)">x</div>',
  '<meta http-equiv="refresh" content="0;url=http://HOST/refresh"><base href="http://HOST/base/">',
  '<form action="http://HOST/form"><input name="a"><button id="go">go</button></form>',
  '<input type="image" src="http://HOST/input"><table background="http://HOST/table"><tr><td>x</table>',
  '<body background="http://HOST/body"><frameset><frame src="http://HOST/frame"></frameset>',
  '<math><mtext><a href="http://HOST/math">x</a></mtext></math><template><img src="http://HOST/template"></template>',
]

export const showCases: readonly ShowCase[] = [
  {
    name: 'the attacker’s servers do count who reaches them',
    async run({ attacker }) {
      await fetch(`http://${attacker.host}/control`)
      assert.deepEqual(attacker.hits, ['GET /control'])
      attacker.hits.length = 0
    },
  },
  {
    name: 'displayed HTML shows, with its styles, and tells its height',
    async run({ page }) {
      const { height, intact } = await show(
        page,
        '<style>p { height: 123px; margin: 0 } body { margin: 0 }</style><p>words</p>',
      )
      assert.ok(height >= 123 && height < 200, `height ${height}`)
      assert.ok(intact)
    },
  },
  {
    name: 'displayed HTML loads nothing, runs nothing and goes nowhere',
    async run({ page, attacker }) {
      const whole = vectors.join('\n').replaceAll('HOST', attacker.host)
      const shown = await show(page, whole)
      assert.ok(shown.intact, 'the page was changed')
      assert.ok(shown.stayed, 'the frame went somewhere else')
      for (const vector of vectors) await show(page, vector.replaceAll('HOST', attacker.host))
      assert.deepEqual(attacker.hits, [])
    },
  },
  {
    name: 'displayed SVG is a picture: it loads nothing, runs nothing and goes nowhere',
    async run({ page, attacker }) {
      const inside = `<script>fetch("http://HOST/script")</script><image href="http://HOST/image" width="9" height="9"/>
        <use href="http://HOST/use#x"/><style>@import "http://HOST/css"; rect { fill: url(http://HOST/fill#x) }</style><rect width="9" height="9"/>
        <a href="http://HOST/link"><text y="9">x</text></a><foreignObject width="9" height="9"><iframe xmlns="http://www.w3.org/1999/xhtml" src="http://HOST/frame"/></foreignObject>`
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="90" height="70" onload="fetch('http://HOST/onload')">${inside}</svg>`
      const shown = await show(page, { svg: svg.replaceAll('HOST', attacker.host) })
      assert.ok(shown.intact && shown.stayed)
      assert.equal(shown.height, 70)
      assert.deepEqual(attacker.hits, [])
      // Unreadable input gives no picture, and does no harm.
      assert.equal((await show(page, { svg: '<svg' })).height, 0)
    },
  },
  {
    name: 'a picture that takes for ever to draw holds up its own frame only, and is gone with it',
    async run({ page }) {
      const levels = Array.from(
        { length: 7 },
        (_, at) => `<g id="a${at + 1}">${`<use href="#a${at}"/>`.repeat(10)}</g>`,
      )
      const svg = `<svg xmlns="http://www.w3.org/2000/svg"><defs><rect id="a0" width="1" height="1"/>${levels.join('')}</defs><use href="#a7"/></svg>`
      const { ticks, answers } = await page.evaluate((given) => globalThis.suite.holdUp(given, 3_000), svg)
      assert.equal(answers, 0, 'the picture was drawn: it proves nothing')
      assert.ok(ticks > 5, `the page went on ${ticks} times`)
      const { height } = await show(page, '<p style="height:80px">later</p>')
      assert.ok(height >= 80)
    },
  },
]
