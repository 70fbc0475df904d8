import type { Language } from '@/lib/base/languages'

// None has more lines than a card shows at once: what was not all in view asks to be looked over before it runs.

const html = (language: Language, title: string, about: string, button: string, times: string) => `<!doctype html>
<html lang="${language}">
<head>
  <meta charset="utf-8">
  <title>${title}</title>
  <link rel="stylesheet" href="style.css">
</head>
<body>
  <main>
    <h1>${title}</h1>
    <p>${about}</p>
    <button id="count" type="button">${button}</button>
    <p id="times" role="status">${times}</p>
  </main>
  <script src="app.js"></script>
</body>
</html>
`

const css = `body {
  display: grid;
  min-height: 90vh;
  place-items: center;
  font: 1.125rem/1.5 system-ui, sans-serif;
  text-align: center;
}

button {
  padding: 0.6rem 1.4rem;
  border: 0;
  border-radius: 0.5rem;
  font: inherit;
  color: white;
  background: #3b6ea5;
}
`

const js = (says: string) => `const button = document.getElementById('count')
const times = document.getElementById('times')
let count = 0

button.addEventListener('click', () => {
  count += 1
  times.textContent = ${says}
})
`

/** A page in three files, by path, in the order in which they are written. */
export const pageFiles: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  en: {
    '/page/index.html': html(
      'en',
      'A small page',
      'It was written by a model, and runs because you said so.',
      'Count',
      'Not pressed yet',
    ),
    '/page/style.css': css,
    '/page/app.js': js("count === 1 ? 'Pressed once' : 'Pressed ' + count + ' times'"),
  },
  'zh-CN': {
    '/page/index.html': html('zh-CN', '一个小网页', '由模型编写，因你同意而运行。', '计数', '还没有点击'),
    '/page/style.css': css,
    '/page/app.js': js("'已点击 ' + count + ' 次'"),
  },
}
