// @ts-check
// Questions of a client to its person: each with its choices, one or several, and a field for words of one's own.
/** @import { Draft } from "../types.d.ts" */
/** @import { Question } from "../words/tool-use.js" */
import { html } from "htm/preact";
import { Prose } from "../words/markdown.js";
import { marked } from "../words/marks.js";
import { answersIn } from "../words/questions.js";

/** @param {Question} asked @param {Draft["answers"]} answers @param {string} label @returns {Draft["answers"]} */
function withPick({ question, several }, answers, label) {
  const { picks = [], own } = answers?.[question] ?? {};
  const had = picks.includes(label);
  const left = picks.filter((one) => one !== label);
  const now = had ? left : several ? [...left, label] : [label];
  // One answer alone: a choice takes the place of words, and words that of a choice.
  return { ...answers, [question]: { picks: now, ...(several && own !== undefined && { own }) } };
}

/** @param {{asked: Question, n: number, action: unknown, answers: Draft["answers"], write: ((more: Draft) => void) | undefined}} props */
function One({ asked, n, action, answers, write }) {
  const { question, header, several, options } = asked;
  const { picks = [], own = "" } = answers?.[question] ?? {};
  const said = answersIn(action)[question];
  const id = `question-${n}-${question.length}`;
  return html`<div class="asked" role="group" aria-labelledby=${id}>
    ${header && html`<p class="small muted">${marked(header)}</p>`}
    <div id=${id} class="asked-words"><${Prose} text=${question} whole /></div>
    ${several && write && html`<p class="small muted">Choose one or more.</p>`}
    <div class="stack" role=${several ? "group" : "radiogroup"} aria-label="Choices">${options.map(
      ({ label, description }) => html`<button class="choice" role=${several ? "checkbox" : "radio"} disabled=${!write}
        aria-checked=${write ? picks.includes(label) : said?.split(", ").includes(label) || said === label}
        onClick=${() => write?.({ answers: withPick(asked, answers, label) })} dir="auto"><span>${marked(label)}${
          description && html`<span class="choice-more">${marked(description)}</span>`
        }</span></button>`,
    )}</div>
    ${
      write
        ? html`<label class="vh" for=${`${id}-own`}>Your own words</label>
          <input class="field" id=${`${id}-own`} dir="auto" autocomplete="off" placeholder=${several ? "And in your own words" : "Or in your own words"} value=${own}
            onInput=${(/** @type {any} */ e) => write({ answers: { ...answers, [question]: { picks: several ? picks : [], own: e.target.value } } })} />`
        : said !== undefined && html`<p class="small"><b>Answer:</b> ${marked(said)}</p>`
    }
  </div>`;
}

/** @param {{questions: Question[], action: unknown, draft: Draft, write: ((more: Draft) => void) | undefined}} props */
export const Questions = ({ questions, action, draft, write }) =>
  html`<div class="asks">${questions.map(
    (asked, n) => html`<${One} asked=${asked} n=${n} action=${action} answers=${draft.answers} write=${write} />`,
  )}</div>`;
