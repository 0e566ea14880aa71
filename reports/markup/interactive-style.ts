/** The style sheet of what the script of a report shows, beside that of the report. */

export const INTERACTIVE_STYLE = `
#explorer:empty { display: none; }
`;
