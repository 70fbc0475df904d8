// What the frame that shows displayed HTML must do and withstand. A case gets { page, attacker }; `page` has `suite` of
// page.ts. HOST in the HTML becomes the attacker's address.
import assert from 'node:assert/strict'

const show = (page, html) => page.evaluate((given) => globalThis.suite.show(given), html)

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

export const showCases = [
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
]
