/** Question marks of several scripts at the end of a sentence, and the usual ways to ask without one. */
const ASKS =
  /[?？؟;](?:["'”’»)\]*_]|\s|$)|\b(?:please (?:tell|give|provide|specify|share|confirm|let)|(?:could|can|would) you|let me know|i(?:'|’)?(?: wi)?ll need|i need (?:to know|the|your|a|more|some)|need (?:more|some) (?:information|details)|which|what (?:is|are|time|date|address)|tell me)\b/i

/** Whether a text asks the person for something. Greek asks with a semicolon, which counts only after Greek letters. */
export function asksSomething(text: string): boolean {
  const withoutLatinSemicolons = text.replaceAll(/(?<![\u0370-\u03ff\u1f00-\u1fff]);/g, ',')
  return ASKS.test(withoutLatinSemicolons)
}
