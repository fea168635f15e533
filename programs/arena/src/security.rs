//! https://github.com/neodyme-labs/solana-security-txt: found by its markers in the deployed program.

const TEXT: &[u8; 245] = b"=======BEGIN SECURITY.TXT V1=======\0\
name\0Engulf arena\0\
project_url\0https://engulf.example\0\
contacts\0email:security@engulf.example\0\
policy\0https://engulf.example/security-policy\0\
preferred_languages\0en\0\
auditors\0None\0\
=======END SECURITY.TXT V1=======\0";

#[no_mangle]
#[used]
#[link_section = ".security.txt"]
pub static SECURITY_TXT: [u8; TEXT.len()] = *TEXT;
