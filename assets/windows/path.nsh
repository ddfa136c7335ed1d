; Adds $INSTDIR to the Path of the current user and removes it. Strings of NSIS end after 1,024 characters and a Path may be
; longer, so it stays in memory of its own and is changed by functions of Windows.

; Reads the Path into $5 (room for one more entry; 0 if it cannot be read or is no text), its type into $2, the open key into
; $1, the length of $INSTDIR into $4; sets $6 to the entry that is $INSTDIR, or to 0.
!macro FindInPath id
    StrCpy $5 0
    System::Call 'advapi32::RegCreateKeyExW(p 0x80000001, w "Environment", i 0, p 0, i 0, i 3, p 0, *p .r1, p 0) i .r0'
    ${If} $0 = 0
        StrCpy $2 2 ; REG_EXPAND_SZ, for a Path that does not exist yet
        StrCpy $3 0
        System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, *i .r2, p 0, *i r3r3) i .r0'
        ${If} $0 = 2 ; ERROR_FILE_NOT_FOUND
            StrCpy $0 0
            StrCpy $2 2
            StrCpy $3 0
        ${EndIf}
        ${If} $0 = 0
        ${AndIf} $2 >= 1 ; REG_SZ
        ${AndIf} $2 <= 2 ; REG_EXPAND_SZ
            StrLen $4 $INSTDIR
            IntOp $0 $4 * 2
            IntOp $0 $0 + $3
            IntOp $0 $0 + 6 ; a separator, an end, an end that the value may lack
            System::Alloc $0 ; zeros
            Pop $5
            ${If} $3 > 0
                System::Call 'advapi32::RegQueryValueExW(p r1, w "Path", p 0, p 0, p r5, *i r3) i .r0'
            ${EndIf}
        ${EndIf}
    ${EndIf}

    StrCpy $6 0
    ${If} $5 P<> 0
        StrCpy $R1 $INSTDIR
        StrCpy $6 $5
        find_${id}:
        System::Call 'shlwapi::StrStrIW(p r6, w R1) p .r6'
        ${If} $6 P<> 0
            ; A whole entry has a separator or nothing at both ends.
            StrCpy $7 59
            ${If} $6 P<> $5
                IntPtrOp $7 $6 - 2
                System::Call '*$7(&i2 .r7)'
            ${EndIf}
            IntOp $8 $4 * 2
            IntPtrOp $8 $8 + $6
            System::Call '*$8(&i2 .r9)'
            ${If} $9 <> 0
            ${AndIf} $9 <> 59
                StrCpy $7 0 ; a folder in it, or one whose name is longer
            ${EndIf}
            ${If} $7 <> 59
                IntPtrOp $6 $6 + 2
                Goto find_${id}
            ${EndIf}
        ${EndIf}
    ${EndIf}
!macroend

!macro WritePath
    System::Call 'kernel32::lstrlenW(p r5) i .r3'
    ${If} $3 = 0
        System::Call 'advapi32::RegDeleteValueW(p r1, w "Path")'
    ${Else}
        IntOp $3 $3 + 1
        IntOp $3 $3 * 2
        System::Call 'advapi32::RegSetValueExW(p r1, w "Path", i 0, i r2, p r5, i r3) i .r0'
    ${EndIf}
    SendMessage ${HWND_BROADCAST} ${WM_SETTINGCHANGE} 0 STR:Environment /TIMEOUT=5000
!macroend

!macro ClosePath
    ${If} $5 P<> 0
        System::Free $5
    ${EndIf}
    System::Call 'advapi32::RegCloseKey(p r1)'
!macroend

!macro AddToPath
    !insertmacro FindInPath add
    ${If} $5 P<> 0
    ${AndIf} $6 P= 0
        System::Call '*$5(&i2 .r7)'
        ${If} $7 <> 0
            System::Call 'kernel32::lstrcatW(p r5, w ";")'
        ${EndIf}
        System::Call 'kernel32::lstrcatW(p r5, w R1)'
        !insertmacro WritePath
    ${EndIf}
    !insertmacro ClosePath
!macroend

!macro RemoveFromPath
    !insertmacro FindInPath remove
    ${If} $6 P<> 0
        ; The entry goes with the separator before it, the first one with that behind it: $8 is behind the entry, $9 its end.
        ${If} $6 P<> $5
            IntPtrOp $6 $6 - 2
        ${ElseIf} $9 = 59
            IntPtrOp $8 $8 + 2
        ${EndIf}
        System::Call 'kernel32::lstrlenW(p r8) i .r3'
        IntOp $3 $3 + 1
        IntOp $3 $3 * 2
        System::Call 'kernel32::RtlMoveMemory(p r6, p r8, p r3)'
        !insertmacro WritePath
    ${EndIf}
    !insertmacro ClosePath
!macroend
