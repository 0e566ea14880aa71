/** A mutant is caught by the first counterexample; none is made smaller. */
import fc from 'fast-check';

fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true });
