/** How people say things, and the command that they mean; the first that matches counts. */
const sayings: readonly { readonly said: RegExp; readonly meant: (found: RegExpExecArray) => string }[] = [
  { said: /\b(?:endless|infinite|forever)\b|\bnever ends\b/i, meant: () => 'compute for (;;) {}' },
  { said: /\bbroken\b|\bcut[- ]off call\b/i, meant: () => 'a broken call' },
  { said: /\b(?:does(?: not|n['’]t) exist|no such tool|nonexistent|imaginary)\b/i, meant: () => 'an unknown tool' },
  {
    said: /\b(?:two|2|four|4|many|a few) (?:tool )?calls\b|\bseveral (?:tools|things)\b/i,
    meant: () => 'several calls',
  },
  { said: /\b(?:example|quoted)\b.*\bcall\b|\bquoted\b/i, meant: () => 'an example in a code block' },
  { said: /\blong (?:answer|message|story|text|one)\b/i, meant: () => 'a long reply' },
  { said: /\bthrow(?:s|ing)?\b|\bcode that fails\b/i, meant: () => `compute throw new Error('thrown on purpose')` },
  {
    said: /^(?:what(?:['’]s| is)|how much is)\s+([\d\s.+*/()%-]+?)\s*\??$/i,
    meant: (found) => `compute ${found[1] ?? ''}`,
  },
  {
    said: /\b(?:run|execute|try)\b.*?\b(?:code|javascript|js)\b\s*:?\s*([\s\S]*)$/i,
    meant: ([, code = '']) =>
      `compute ${/[=(;+*]/.test(code) ? code : '[3, 4].reduce((sum, side) => sum + side ** 2, 0) ** 0.5'}`,
  },
  {
    said: /\b(?:write|create|save|make|put)\b[\s\S]*(?:\bfile\b|\bnote\b|\/\w|\b\w+\.[a-z]{1,4}\b)/i,
    meant: ({ input }) => `write ${pathIn(input) ?? '/notes/hello.md'}: ${contentIn(input) ?? 'Hello from a script.'}`,
  },
  {
    said: /\b(?:read|open|show)\b[\s\S]*(?:\bfile\b|\/\w|\b\w+\.[a-z]{1,4}\b)/i,
    meant: ({ input }) => {
      const path = pathIn(input)
      return path === null ? 'List the files of this chat, and read the first one' : `read ${path}`
    },
  },
  { said: /\b(?:files?|folders?|director(?:y|ies))\b/i, meant: ({ input }) => `list files ${pathIn(input) ?? '/'}` },
]

const pathIn = (text: string): string | null => {
  const found = /(\/[\w./-]*\w)|\b(?:called|named)\s+["“'`]?([\w.-]*\w)|\b([\w-]+\.[a-z]{1,4})\b/i.exec(text)
  const path = found?.[1] ?? found?.[2] ?? found?.[3]
  return path === undefined ? null : path.startsWith('/') ? path : `/${path}`
}

const contentIn = (text: string): string | null =>
  /["“]([^"”]+)["”]/.exec(text)?.[1] ??
  /\b(?:with|saying|containing)\b(?: the)?(?: (?:text|words?|content))?:?\s+([\s\S]+)$/i.exec(text)?.[1] ??
  null

/** The command that a loosely worded request comes down to, or null. The script still only knows its commands. */
export function commandMeantBy(task: string): string | null {
  for (const { said, meant } of sayings) {
    const found = said.exec(task)
    if (found) return meant(found)
  }
  return null
}
