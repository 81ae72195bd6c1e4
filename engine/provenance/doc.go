// Package provenance answers why a case exists: what its provenance refers to,
// who added and changed it and with which words, what was decided on it, and
// what it has caught.
//
// It puts together what git, the decision files and the results store know, and
// says where one of them knows nothing. It refuses to judge whether a case is
// worth keeping, and changes nothing. What people and outputs wrote comes back
// as it stands; only the formats that write it for people make it inert.
package provenance
