/**
 * A script in pure ASCII: its bytes are plain, and an engine holds it in single bytes. All that is
 * not ASCII in our bundles stands in texts, templates and regular expressions, where escapes are
 * the same.
 */
export const ascii = (script) =>
  script.replace(/[\u0080-\uffff]/g, (each) => {
    return `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
