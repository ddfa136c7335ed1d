//! Tests of the table: see the journeys for the window as a whole.
